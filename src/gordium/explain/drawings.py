"""The pictures of the page: Jacobian columns, Gram matrices and traversals, as PNG."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gordium.explain.subject import Subject
from gordium.geometry import column_pictures, jacobian, plane_traversal, traversals
from gordium.report.figures import geometry as geometry_figures
from gordium.report.figures import images as figures
from gordium.study.pictures import as_pictures

N_SHOWN, REACH, N_STEPS, N_PLANE = 4, 2.0, 9, 7
MOST_UNITS = 10


def columns(about: Subject) -> bytes:
    """Draw the decoder's derivatives at some points: as pictures, or as a matrix for vectors."""
    z = about.z[:N_SHOWN]
    shown = about.order[:MOST_UNITS]
    found = jacobian(about.decoder, z)[..., shown].cpu().numpy()
    names = about.unit_names[:MOST_UNITS]
    if about.dataset.is_vector:
        panels = {f"|J| at point {i}": np.abs(j[:, 0, 0]) for i, j in enumerate(found)}
        rows = [f"x{i}" for i in range(found.shape[1])]
        return geometry_figures.heat_maps(panels, rows=rows, columns=names)
    with torch.no_grad():
        decoded = as_pictures(about.decoder(z).cpu().numpy())
    return geometry_figures.columns_at_points(decoded, list(column_pictures(found).pictures), names)


def gram(about: Subject) -> bytes:
    """Draw the mean of J^T J, and of the cosines between its columns."""
    ordered = about.grams[:, about.order][:, :, about.order]
    lengths = np.sqrt(np.maximum(np.einsum("nii->ni", ordered), 1e-300))
    cosines = np.abs(ordered) / (lengths[:, :, None] * lengths[:, None, :])
    panels = {
        "mean |JᵀJ|": np.abs(ordered).mean(axis=0),
        "mean |cosine| between columns": cosines.mean(axis=0),
    }
    names = about.unit_names
    return geometry_figures.heat_maps(panels, rows=names, columns=names)


def factors(about: Subject, explained: NDArray[Any]) -> bytes:
    """Draw the share of each code's variance that lies between the values of each factor."""
    names = [factor.name.replace("_", " ") for factor in about.dataset.scored_factors]
    panels = {"share of the code's variance": explained}
    wide = [name if len(name) < 8 else name.replace(" ", "\n") for name in names]
    return geometry_figures.heat_maps(panels, rows=about.unit_names, columns=wide, top=False)


def lines(about: Subject) -> bytes:
    """Draw what happens as one unit moves: rows of pictures, or curves for vectors."""
    values = np.linspace(-REACH, REACH, N_STEPS)
    shown, names = about.order[:MOST_UNITS], about.unit_names[:MOST_UNITS]
    decode, start = _rescale(about)
    found = traversals(decode, start, values, units=shown)
    if about.dataset.is_vector:
        return geometry_figures.responses(values, found[..., 0, 0], names)
    rows = {name: as_pictures(row) for name, row in zip(names, found, strict=True)}
    return figures.image_grid(rows, zoom=0.8)


def plane(about: Subject) -> bytes:
    """Draw what the two most important units do: a grid of pictures, or a net for vectors."""
    values = np.linspace(-REACH, REACH, N_PLANE)
    first, second = about.order[:2]
    names = {"down": f"z{first}", "across": f"z{second}"}
    decode, start = _rescale(about)
    found = plane_traversal(decode, start, values, units=(first, second))
    if not about.dataset.is_vector:
        return geometry_figures.picture_plane([as_pictures(row) for row in found], **names)
    cloud = about.x.flatten(1).double().cpu().numpy()
    centre = cloud.mean(axis=0)
    axes = np.linalg.svd(cloud - centre, full_matrices=False)[2][:2].T
    return geometry_figures.net(
        (found[..., 0, 0] - centre) @ axes, (cloud - centre) @ axes, **names
    )


def _rescale(about: Subject) -> tuple[Any, Tensor]:
    """A decoder whose unit is the prior's deviation; without a prior, that of the codes."""
    if about.kind.has_noise:
        return about.decoder, about.z[0]
    codes = torch.from_numpy(about.representation.codes).to(about.x.device)
    centre, spread = codes.mean(dim=0), codes.std(dim=0).clamp(min=1e-12)
    return lambda z: about.decoder(centre + spread * z), (about.z[0] - centre) / spread
