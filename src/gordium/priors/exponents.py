"""The exponents of a prior, fixed or learned."""

from torch import Tensor, nn


class Exponents(nn.Module):
    """Exponents that are parameters if they are learned, else buffers.

    They are stored as logarithms, so that they stay positive. `p0` is one number, `p` are several.
    """

    log_p0: Tensor
    log_p: Tensor

    def __init__(self, log_p0: Tensor, log_p: Tensor, learn_p0: bool, learn_p: bool) -> None:
        super().__init__()
        for name, value, learned in (("log_p0", log_p0, learn_p0), ("log_p", log_p, learn_p)):
            if learned:
                self.register_parameter(name, nn.Parameter(value))
            else:
                self.register_buffer(name, value)

    def read_learned(self) -> dict[str, Tensor]:
        """The present values of learned exponents: p0, and p1, p2, ..."""
        learned = {name: value.detach().exp() for name, value in self.named_parameters()}
        found = {"p0": learned["log_p0"]} if "log_p0" in learned else {}
        several = learned["log_p"].unbind() if "log_p" in learned else ()
        return found | {f"p{k}": value for k, value in enumerate(several, start=1)}
