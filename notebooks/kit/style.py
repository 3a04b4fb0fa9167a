"""How the course's pictures look: no background and middle tones, so that they fit light and dark.

It draws nothing.
"""

import matplotlib
from matplotlib import colormaps
from matplotlib.colors import LinearSegmentedColormap

INK = "#777777"  # readable on white and on JupyterLab's dark background alike
# Each stands out from both backgrounds; markers, dashes and hatches tell them apart without colour.
COLOURS = ("#1F78B4", "#D55E00", "#009E73", "#C06FA0", "#B8860B", "#3F8FB8", "#808080")
LEAST, MOST = "#E3EBF2", "#08458A"

SHADES = LinearSegmentedColormap.from_list("shades", [LEAST, "#6BA3D0", MOST])
SIGNED = LinearSegmentedColormap.from_list(
    "signed", ["#8A3B00", "#E8A860", "#E9E9EC", "#A79CCB", "#3C1E78"]
)
MANY = colormaps["cividis"]  # for cells too many to be numbered

matplotlib.rcParams.update(
    {
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "legend.facecolor": "none",
        "legend.edgecolor": INK,
        "legend.framealpha": 1,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "grid.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": INK,
        "axes.titlecolor": INK,
    }
)
