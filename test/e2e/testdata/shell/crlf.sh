source ./prices.sh
total 5
