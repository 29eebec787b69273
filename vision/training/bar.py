"""Makes the weights that find the bar: `python -m vision.training.bar --help`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt
import torch

from vision.network import SPREAD_FLOOR
from vision.reading.bar import HEIGHT, WIDTH, profile_places
from vision.training.bar_net import BarNet
from vision.training.columns_data import Samples, load

VIEWS = 4
BATCH = 32
PEAK_RATE = 2e-3
PROFILE_SPREAD = 0.018
"""Deviation of the wanted profile around an edge, share of the width: under one cell of it."""
NARROW, NARROW_WEIGHT = 0.03, 2.5
Tensor = Any


def _batch(samples: Samples, share: npt.NDArray[np.float64], rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Normalised pictures (B, 3, H, W) and edges (B, 2), mirrored and recoloured at random."""
    chosen = np.sort(rng.choice(len(samples), BATCH, replace=False, p=share))
    picture, edges = samples.rectified[chosen], samples.bar[chosen]
    if rng.random() < 0.5:
        picture, edges = picture[:, :, ::-1], 1 - edges[:, ::-1]
    if rng.random() < 0.5:
        picture = picture[:, ::-1]
    if rng.random() < 0.5:
        picture = picture[..., rng.permutation(3)]
    values = torch.from_numpy(np.ascontiguousarray(picture)).float()
    mean, spread = values.mean((1, 2, 3), keepdim=True), values.std((1, 2, 3), keepdim=True)
    gain = 1 + 0.15 * torch.randn(BATCH, 1, 1, 1)
    values = (values - mean) / (spread + SPREAD_FLOOR) * gain + 0.15 * torch.randn(BATCH, 1, 1, 3)
    return values.permute(0, 3, 1, 2), torch.from_numpy(np.ascontiguousarray(edges))


def _shares(samples: Samples) -> npt.NDArray[np.float64]:
    """How often each sample is drawn: boards (almost) without a bar more often, they are few and hard."""
    narrow = samples.bar[:, 1] - samples.bar[:, 0] < NARROW
    share = 1.0 + (NARROW_WEIGHT - 1) * narrow
    return np.asarray(share / share.sum(), np.float64)


def loss_of(profiles: Tensor, edges: Tensor) -> Tensor:
    """Cross-entropy with a narrow peak at each edge, and the distance of the mean place from it."""
    places = torch.from_numpy(profile_places()).to(edges.device)
    log_share = torch.log_softmax(profiles[:, :, 0].float(), 2)
    wanted = torch.exp(-(((places - edges[..., None]) / PROFILE_SPREAD) ** 2) / 2)
    wanted = wanted / wanted.sum(2, keepdim=True)
    mean = (log_share.exp() * places).sum(2)
    return -(wanted * log_share).sum(2).mean() + 60 * (mean - edges).abs().mean()


@click.group(help=__doc__)
def main() -> None:
    """Commands to train and export."""
    torch.set_num_threads(1)


@main.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--weights", required=True, type=click.Path(path_type=Path), help="Where the network goes (.pt).")
@click.option(
    "--start", type=click.Path(path_type=Path, exists=True), help="Go on from this .pt instead of from nothing."
)
@click.option("--steps", default=1500, show_default=True)
@click.option("--seed", default=1, show_default=True)
def train(folders: tuple[Path, ...], weights: Path, start: Path | None, steps: int, seed: int) -> None:
    """Trains on the sample sets in FOLDERS (drawn by `vision.training.columns draw`)."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    samples = load(folders)
    net = BarNet()
    if start is not None:
        net.load_state_dict(torch.load(start))
    net = net.to(memory_format=torch.channels_last).train()
    share = _shares(samples)
    optimiser = torch.optim.AdamW(net.parameters(), PEAK_RATE, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, total_steps=steps, pct_start=0.05)
    began = time.monotonic()
    for step in range(steps):
        pictures, edges = _batch(samples, share, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            profiles = net(pictures)
        loss = loss_of(profiles, edges)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 100 == 99:
            click.echo(f"step {step + 1}/{steps}  loss {float(loss.detach()):.3f}  {time.monotonic() - began:.0f} s")
    torch.save(net.eval().state_dict(), weights)


@main.command("export")
@click.argument("weights", type=click.Path(path_type=Path, exists=True))
@click.argument("onnx", type=click.Path(path_type=Path))
def export_command(weights: Path, onnx: Path) -> None:
    """Writes WEIGHTS (.pt) as ONNX."""
    net = BarNet()
    net.load_state_dict(torch.load(weights))
    picture = torch.zeros(VIEWS, 3, HEIGHT, WIDTH)
    torch.onnx.export(
        net.eval(),
        (picture,),
        str(onnx),
        input_names=["picture"],
        output_names=["profiles"],
        opset_version=13,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
