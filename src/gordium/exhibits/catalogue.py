"""Every exhibit of the papers: where it is, what it is about, and the module that makes it."""

from typing import NamedTuple


class Entry(NamedTuple):
    """`module` is a file of this package, or None where the exhibit cannot be made yet."""

    where: str
    title: str
    module: str | None = None


ZIETLOW = "Zietlow et al. 2021"
ROLINEK = "Rolinek et al. 2019"
LOCATELLO = "Locatello et al. 2019"
STUEHMER = "Stühmer et al. 2020"

CATALOGUE: dict[str, Entry] = {
    "zietlow2021-table1": Entry(
        f"{ZIETLOW}, Table 1",
        "MIG of seven methods on original, modified and noisy images",
        "zietlow_table1",
    ),
    "zietlow2021-table3": Entry(
        f"{ZIETLOW}, Table 3", "DCI of the runs of Table 1", "zietlow_table3"
    ),
    "zietlow2021-table4": Entry(
        f"{ZIETLOW}, Table 4", "FactorVAE score of the runs of Table 1", "zietlow_table4"
    ),
    "zietlow2021-table5": Entry(
        f"{ZIETLOW}, Table 5", "SAP of the runs of Table 1", "zietlow_table5"
    ),
    "zietlow2021-figure1": Entry(
        f"{ZIETLOW}, Figure 1",
        "Clusters whose own axes are not those of the whole cloud",
        "zietlow_figure1",
    ),
    "zietlow2021-figure2": Entry(
        f"{ZIETLOW}, Figure 2",
        "Principal components of a plane, a surface, a perturbed surface",
        "zietlow_figure2",
    ),
    "zietlow2021-figure4": Entry(
        f"{ZIETLOW}, Figure 4", "Original + change = altered image", "zietlow_figure4"
    ),
    "zietlow2021-figure5": Entry(
        f"{ZIETLOW}, Figures 5 and 7-9",
        "Scores over the strength of the regulariser",
        "zietlow_figure5",
    ),
    "zietlow2021-figure10-11": Entry(
        f"{ZIETLOW}, Figures 10 and 11",
        "Two-dimensional traversals of both kinds of minima",
        "zietlow_traversals",
    ),
    "zietlow2021-theorem1": Entry(
        f"{ZIETLOW}, Theorem 1",
        "A linear VAE's optimum is principal component analysis",
        "zietlow_theorem1",
    ),
    "rolinek2019-worked-example": Entry(
        f"{ROLINEK}, (22)-(26)",
        "The price of rotated columns, in two matrices",
        "rolinek_worked_example",
    ),
    "rolinek2019-theorem2": Entry(
        f"{ROLINEK}, Theorem 2",
        "The optimal noise makes a decoder's columns orthogonal",
        "rolinek_theorem2",
    ),
    "rolinek2019-table1": Entry(
        f"{ROLINEK}, Table 1", "How much of training runs in the polarised regime", "rolinek_table1"
    ),
    "rolinek2019-table2": Entry(
        f"{ROLINEK}, Table 2",
        "Disentanglement and distance to orthogonality of five models",
        "rolinek_table2",
    ),
    "rolinek2019-figure3": Entry(
        f"{ROLINEK}, Figure 3",
        "Distance to orthogonality against disentanglement over restarts",
        "rolinek_figure3",
    ),
    "rolinek2019-figureS4": Entry(
        f"{ROLINEK}, Figure S4", "Both scores over beta", "rolinek_figure_s4"
    ),
    "rolinek2019-tableS4": Entry(
        f"{ROLINEK}, Table S4",
        "The degenerate case: factors of nearly equal scale",
        "rolinek_table_s4",
    ),
    "rolinek2019-figureS5": Entry(
        f"{ROLINEK}, Figure S5",
        "Codes of a square with equal sides: any rotation",
        "rolinek_figure_s5",
    ),
    "rolinek2019-rotation-invariance": Entry(
        f"{ROLINEK}, Propositions 2 and 3",
        "What a rotation of the latent space changes",
        "rolinek_rotation_invariance",
    ),
    "locatello2019-theorem1": Entry(
        f"{LOCATELLO}, Theorem 1",
        "Entangled codes with the same distribution as disentangled ones",
        "locatello_theorem1",
    ),
    "locatello2019-figure1": Entry(
        f"{LOCATELLO}, Figure 1",
        "Total correlation of sampled and mean codes over strength",
        "locatello_figure1",
    ),
    "locatello2019-figure2": Entry(
        f"{LOCATELLO}, Figure 2", "Rank correlation between metrics", "locatello_figure2"
    ),
    "locatello2019-figure3": Entry(
        f"{LOCATELLO}, Figure 3", "FactorVAE scores by method, and by strength", "locatello_figure3"
    ),
    "locatello2019-variance-explained": Entry(
        f"{LOCATELLO}, tables (a), (b)",
        "Variance of a score explained by method and strength",
        "locatello_variance",
    ),
    "locatello2019-model-selection": Entry(
        f"{LOCATELLO}, key result 4",
        "Choosing models without labels, and transferring choices",
        "locatello_selection",
    ),
    "locatello2019-downstream": Entry(
        f"{LOCATELLO}, key result 5",
        "Scores against the use of codes for a later task",
        "locatello_downstream",
    ),
    "burgess2018-figure3": Entry(
        "Burgess et al. 2018, Figure 3", "Which factor gets capacity first", "burgess_figure3"
    ),
    "stuehmer2020-figure1": Entry(
        f"{STUEHMER}, Figure 1", "Mean-field inference bends over-complete ICA", "stuehmer_ica"
    ),
    "stuehmer2020-figure2": Entry(
        f"{STUEHMER}, Figure 2", "Contours of L^p-nested functions", "stuehmer_contours"
    ),
    "stuehmer2020-figure3": Entry(
        f"{STUEHMER}, Figure 3", "Priors that turn the code of a position", "stuehmer_orientation"
    ),
    "stuehmer2020-figure5": Entry(
        f"{STUEHMER}, Figure 5",
        "MIG against reconstruction over beta, four methods",
        "stuehmer_figure5",
    ),
    "stuehmer2020-figure6": Entry(
        f"{STUEHMER}, Figure 6", "MIG against reconstruction on cars", "stuehmer_figure6"
    ),
    "stuehmer2020-figure7": Entry(
        f"{STUEHMER}, Figure 7", "Learned exponents on faces", "stuehmer_figure7"
    ),
    "stuehmer2020-figures8-16": Entry(
        f"{STUEHMER}, Figures 8-16", "What each latent unit responds to", "stuehmer_units"
    ),
    "stuehmer2020-algorithm1": Entry(
        f"{STUEHMER}, Algorithm 1", "Exact samples of L^p-nested distributions", "stuehmer_samples"
    ),
    "stuehmer2020-b3": Entry(
        f"{STUEHMER}, B.3",
        "Free energy and likelihood of factor analysis under rotation",
        "stuehmer_b3",
    ),
    "stuehmer2020-b4": Entry(f"{STUEHMER}, B.4", "A spare component is pruned", "stuehmer_b4"),
    "stuehmer2020-b5": Entry(
        f"{STUEHMER}, B.5", "What beta does to the free energy", "stuehmer_b5"
    ),
}
