def unused() -> None:
    pass
