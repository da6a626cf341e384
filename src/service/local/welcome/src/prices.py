"""What a GPU cost per hour in April 2024, from data/gpu-prices.csv. Standard library only."""

import csv
from statistics import median


def load(path="data/gpu-prices.csv"):
    """Reads the offers: one dict per line, numbers as numbers."""
    with open(path, newline="") as file:
        return [
            {**row, "vram_gb": int(row["vram_gb"]), "price_per_hour": float(row["price_per_hour"])}
            for row in csv.DictReader(file)
        ]


def by_gpu(offers):
    """Groups the prices of the offers by GPU model."""
    groups = {}
    for offer in offers:
        groups.setdefault(offer["gpu"], []).append(offer["price_per_hour"])
    return groups


def report(offers):
    """Prints one line per GPU, the cheapest first."""
    print(f"{'GPU':<12}{'offers':>7}{'lowest':>9}{'median':>9}{'highest':>9}")
    for gpu, prices in sorted(by_gpu(offers).items(), key=lambda item: min(item[1])):
        print(f"{gpu:<12}{len(prices):>7}{min(prices):>9.2f}{median(prices):>9.2f}{max(prices):>9.2f}")


if __name__ == "__main__":
    report(load())
