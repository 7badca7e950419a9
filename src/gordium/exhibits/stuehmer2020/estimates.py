"""Which estimate of MIG rows of Stühmer et al. 2020 hold, and which variants of methods."""

import pandas as pd

MIG, CHEN, LOSS = "mig", "mig_aggregate_posterior", "reconstruction"
MIGS = (CHEN, MIG)  # the paper's estimate first
LEARNED, SAMPLED = ", learned", ", sampled KL"  # what is added to a method's name
WORDS = {
    CHEN: "MIG is Chen et al.'s, from the aggregate posterior, as published",
    MIG: "MIG is that of binned posterior means, not Chen et al.'s from the aggregate posterior, "
    "which is the published one",
}


def choose_mig(frame: pd.DataFrame) -> str:
    """The estimate by which rows are judged: Chen's if they hold it, else that of binned means."""
    return CHEN if CHEN in set(frame["metric"]) else MIG


def unify_mig(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows with one estimate for each data set, the chosen one, under the name `mig`."""
    if frame.empty:
        return frame
    parts = []
    for _, own in frame.groupby("dataset", sort=False):
        chosen = choose_mig(own)
        used = own[(own["metric"] == chosen) | ~own["metric"].isin(MIGS)]
        parts.append(used.assign(metric=used["metric"].replace({chosen: MIG})))
    return pd.concat(parts)


def say_mig(frame: pd.DataFrame) -> str:
    """The estimate that rows are judged by, in words; by data set where they differ."""
    by_data = {data: choose_mig(own) for data, own in frame.groupby("dataset", sort=False)}
    if len(set(by_data.values())) == 1:
        return f"{WORDS[choose_mig(frame)]}."
    return " ".join(f"{data}: {WORDS[chosen]}." for data, chosen in by_data.items())


def name_learned(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows in which learned exponents are a method of their own."""
    return _add_to_name(frame, "learn_p", LEARNED)


def name_sampled(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows in which a beta-VAE with a sampled KL is a method of its own."""
    return _add_to_name(frame, "sampled_kl", SAMPLED)


def _add_to_name(frame: pd.DataFrame, option: str, words: str) -> pd.DataFrame:
    is_set = frame["hyperparameters"].str.contains(f'"{option}": true', regex=False)
    method = frame["method"].where(~is_set.fillna(False).astype(bool), frame["method"] + words)
    return frame.assign(method=method)
