"""The names of metrics and data sets in the published tables, and ours."""

METRICS = {
    "BetaVAE": "beta_vae_score",
    "DCI": "dci",
    "FactorVAE": "factor_vae_score",
    "MIG": "mig",
    "Modularity": "modularity",
    "SAP": "sap",
}
SCORES = ("reconstruction", "kl", "elbo", "total_correlation")  # scores that need no labels
DATA = {
    "dsprites": "dSprites",
    "shapes3d": "Shapes3D",
    "color-dsprites": "Color-dSprites",
    "noisy-dsprites": "Noisy-dSprites",
    "scream-dsprites": "Scream-dSprites",
    "cars3d-like": "Cars3D",
    "cars3d": "Cars3D",
    "smallnorb-like": "SmallNORB",
    "smallnorb": "SmallNORB",
}
PRINTED = {  # the data set of each figure; tables (a) and (b) have all seven
    "Figure 1": "Color-dSprites",
    "Figure 2": "Noisy-dSprites",
    "Figures 5 and 6": "dSprites",
}
