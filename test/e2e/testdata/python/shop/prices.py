"""Prices of things."""

from typing import overload


class Größe(int):
    """A size."""


def total(prices: list[int]) -> int:
    """Adds up prices."""
    return sum(prices)


@overload
def parse(text: str) -> int: ...
@overload
def parse(text: bytes) -> bytes: ...
def parse(text: str | bytes) -> int | bytes:
    return int(text) if isinstance(text, str) else text


def unused() -> None:
    pass
