"""Vectors of sixteen numbers, so that numba's loops treat sixteen classes at once.

A value of type `Lanes` lives in registers, whatever the processor's width: LLVM splits it. Arrays
that hold lanes are (rows, 16) and contiguous. Operators take two vectors of one type.
"""

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types

N_LANES = 16
_INT = ir.IntType(32)


class Lanes(types.Type):
    """Numba's type of such a vector."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype})")


_ELEMENTS = {
    types.int32: _INT,
    types.float32: ir.FloatType(),
    types.uint16: ir.IntType(16),
    types.uint8: ir.IntType(8),
    types.boolean: ir.IntType(1),
}


@extending.register_model(Lanes)
class _Model(extending.models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        vector = ir.VectorType(_ELEMENTS[lanes.dtype], N_LANES)
        super().__init__(manager, lanes, vector)  # type: ignore[no-untyped-call]


def _instruction() -> Callable[..., Any]:
    """Turn a function that builds code into one that loops can call."""
    return lambda build: extending.intrinsic(build)


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind, row = signature.args[:2]
    array = context.make_array(kind)(context, builder, args[0])
    vector = context.get_value_type(Lanes(kind.dtype))
    start = builder.bitcast(array.data, vector.as_pointer())
    return builder.gep(start, [context.cast(builder, args[1], row, types.intp)])


def _shuffle(builder: Any, a: Any, b: Any, picked: list[int]) -> Any:
    mask = ir.Constant(ir.VectorType(_INT, N_LANES), picked)
    return builder.shuffle_vector(a, b, mask)


@_instruction()
def load(typing: Any, array: Any, row: Any) -> Any:
    """The lanes of a row."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_address(context, builder, signature, args), align=1)

    return Lanes(array.dtype)(array, row), emit


@_instruction()
def store(typing: Any, array: Any, row: Any, lanes: Any) -> Any:
    """Write the lanes of a row."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _address(context, builder, signature, args), align=1)
        return context.get_dummy_value()

    return types.void(array, row, lanes), emit


@_instruction()
def spread(typing: Any, x: Any) -> Any:
    """The same number in all lanes."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        empty = ir.Constant(context.get_value_type(signature.return_type), ir.Undefined)
        first = builder.insert_element(empty, args[0], _INT(0))
        return _shuffle(builder, first, empty, [0] * N_LANES)

    return Lanes(x)(x), emit


@_instruction()
def select(typing: Any, mask: Any, a: Any, b: Any) -> Any:
    """`a` in the lanes of the mask, elsewhere `b`."""
    return a(mask, a, b), lambda context, builder, signature, args: builder.select(*args)


def _convert(target: Any, instruction: str) -> Any:
    @_instruction()
    def convert(typing: Any, lanes: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = context.get_value_type(signature.return_type)
            return getattr(builder, instruction)(args[0], kind)

        return Lanes(target)(lanes), emit

    return convert


to_floats = _convert(types.float32, "sitofp")
to_ints = _convert(types.int32, "fptosi")  # towards 0
widen = _convert(types.int32, "zext")
narrow = _convert(types.uint16, "trunc")


@_instruction()
def add_up(typing: Any, lanes: Any) -> Any:
    """The sum of all lanes."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        total, apart = args[0], N_LANES
        while apart > 1:
            apart //= 2
            other = _shuffle(builder, total, total, [(i + apart) % N_LANES for i in range(N_LANES)])
            total = builder.fadd(total, other)
        return builder.extract_element(total, _INT(0))

    return lanes.dtype(lanes), emit


@_instruction()
def transpose(typing: Any, columns: Any, start: Any, rows: Any) -> Any:
    """Rows `start` to `start` + 15 of `rows` (n, 16) from `columns` (16, n)."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(columns)(context, builder, args[0])
        i = context.cast(builder, args[1], start, types.intp)
        width = builder.extract_value(array.shape, 1)
        vector = context.get_value_type(Lanes(columns.dtype))
        found = []
        for c in range(N_LANES):
            at = builder.add(i, builder.mul(width, ir.Constant(width.type, c)))
            address = builder.bitcast(builder.gep(array.data, [at]), vector.as_pointer())
            found.append(builder.load(address, align=1))
        half = N_LANES // 2
        for _ in range(4):  # each round halves the distance of what belongs together
            pairs = zip(found[:half], found[half:], strict=True)
            picked = [[k + j // 2 + j % 2 * N_LANES for j in range(N_LANES)] for k in (0, half)]
            found = [_shuffle(builder, a, b, some) for a, b in pairs for some in picked]
        out = context.make_array(rows)(context, builder, args[2])
        base = builder.bitcast(out.data, vector.as_pointer())
        for k, row in enumerate(found):
            at = builder.add(i, ir.Constant(i.type, k))
            builder.store(row, builder.gep(base, [at]), align=1)
        return context.get_dummy_value()

    return types.void(columns, start, rows), emit


def _define(operation: Any, whole: str, real: str, sign: str = "") -> None:
    """Let an operator of Python be an instruction for whole numbers, or for real ones."""

    @extending.type_callable(operation)
    def _type(context: Any) -> Any:
        def kind(a: Any, b: Any) -> Any:
            if isinstance(a, Lanes) and a == b:
                return Lanes(types.boolean) if sign else a
            return None

        return kind

    def lower(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        name = real if signature.args[0].dtype == types.float32 else whole
        if sign:
            return getattr(builder, name)(sign, *args)
        fused = {"flags": ("contract",)} if name in ("fadd", "fsub", "fmul") else {}
        return getattr(builder, name)(*args, **fused)

    extending.lower_builtin(operation, Lanes, Lanes)(lower)  # type: ignore[no-untyped-call]


_define(operator.add, "add", "fadd")
_define(operator.sub, "sub", "fsub")
_define(operator.mul, "mul", "fmul")
_define(operator.truediv, "sdiv", "fdiv")
_define(operator.and_, "and_", "and_")
_define(operator.lshift, "shl", "shl")
_define(operator.rshift, "ashr", "ashr")
_define(operator.gt, "icmp_signed", "fcmp_ordered", ">")
_define(operator.eq, "icmp_signed", "fcmp_ordered", "==")
