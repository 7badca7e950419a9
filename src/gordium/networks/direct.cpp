// Convolutions of images that are innermost in memory: rows, columns, channels, images.
//
// A vector holds one number of several images, so few channels waste no lane; a line of a patch is
// contiguous, so a convolution is a sum of small matrix products. Every sum is taken in an order
// that follows from the sizes alone: the same numbers give the same bits.
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <type_traits>
#include <vector>
#ifdef __FMA__
#include <immintrin.h>
#endif

#ifdef __AVX512F__
constexpr int L = 16, WIDE = 4, B = 8;  // lanes; vectors of 4 channels; channels of a tile
#define TIMES_PLUS(a, b, c) _mm512_fmadd_ps(a, b, c)
#else
constexpr int L = 8, WIDE = 2, B = 6;
#ifdef __FMA__  // compilers split some of these in two if they may, and so change the last bits
#define TIMES_PLUS(a, b, c) _mm256_fmadd_ps(a, b, c)
#else
#define TIMES_PLUS(a, b, c) ((a) * (b) + (c))
#endif
#endif
constexpr long NEAR = 4096;  // numbers that stay in the first cache
constexpr int GAP = 96;      // between blocks that would meet in the same lines of the cache

typedef float V __attribute__((vector_size(4 * L)));
typedef int I __attribute__((vector_size(4 * L)));
typedef std::vector<float> Numbers;
struct Room : std::vector<V> {  // numbers in whole vectors, zeros at first
    explicit Room(long n) : std::vector<V>((n + L - 1) / L) {}
    operator float*() { return (float*)data(); }
};
static inline V load(const float* p) { V v; memcpy(&v, p, sizeof v); return v; }
static inline void store(float* p, V v) { memcpy(p, &v, sizeof v); }
static inline V all(float a) { return a - V{}; }
static inline double sum(V v) { double t = 0; for (int i = 0; i < L; i++) t += v[i]; return t; }
static inline int least(long a, long b) { return a < b ? a : b; }

// Input and output (rows, columns, channels), images, kernel, stride, padding before the first row,
// whether inputs are spread over outputs (a transposed convolution), the slope below zero of what
// follows, and the strides of the weights: output channel, input channel, row, column.
struct Layer {
    int h, w, c, H, W, C, n, k, s, p, up;
    float slope;
    long out, in, row, column;
    long input(long y, long x) const { return (y * w + x) * c * n; }  // where a pixel begins
    long output(long y, long x) const { return (y * W + x) * C * n; }
};

// Which inputs of a line an output sees: the first one, how many, the tap of the first.
struct Seen { int at, count, tap; };
static Seen seen(int out, int inputs, const Layer& d) {
    if (!d.up) {  // input = s out - p + tap
        int at = d.s * out - d.p, skip = at < 0 ? -at : 0;
        return {at + skip, least(d.k, inputs - at) - skip, skip};
    }
    int tap = (out + d.p) % d.s, last = (out + d.p) / d.s, count = (d.k - tap + d.s - 1) / d.s;
    int at = last - count + 1, skip = at < 0 ? -at : 0;
    int over = last < inputs ? 0 : last - inputs + 1;
    return {at + skip, count - skip - over, tap + d.s * (count - 1 - skip)};  // taps fall
}

// An activation; a number that is none stays one.
static inline V bend(V r, V sign, float slope) { return sign <= 0 ? slope * r : r; }

// C channels of NV vectors.
template <int C, int NV>
struct Cell {
    V a[C][NV];
    explicit Cell(const float* bias) {
        for (int j = 0; j < C; j++)
            for (int v = 0; v < NV; v++) a[j][v] = all(bias ? bias[j] : 0.f);
    }
    // += the sum over lines of x, n numbers apart, times weights: a channel's are `apart`.
    inline void add(const float* x, long n, const float* w, long apart, long next, int lines) {
#pragma GCC unroll 4
        for (int k = 0; k < lines; k++, x += n, w += next) {
            V xv[NV];
            for (int v = 0; v < NV; v++) xv[v] = load(x + v * L);
            for (int j = 0; j < C; j++) {
                V weight = all(w[j * apart]);
                for (int v = 0; v < NV; v++) a[j][v] = TIMES_PLUS(weight, xv[v], a[j][v]);
            }
        }
    }
    inline void add(const float* y, long n) {
        for (int j = 0; j < C; j++)
            for (int v = 0; v < NV; v++) a[j][v] += load(y + j * n + v * L);
    }
    inline void write(float* y, long n, const float* mask = nullptr, float slope = 1) const {
        for (int j = 0; j < C; j++)
            for (int v = 0; v < NV; v++) {
                V sign = mask ? load(mask + j * n + v * L) : a[j][v];
                store(y + j * n + v * L, bend(a[j][v], sign, slope));
            }
    }
};

// Calls `work` with the first channel of each group and the group's size, at most MOST.
template <int N> using Size = std::integral_constant<int, N>;
template <int MOST, class F>
static void in_groups(int channels, F work) {
    for (int o = 0, many; o < channels; o += many) {
        int left = channels - o;
        many = left >= MOST && (MOST == 4 || left != MOST + 2) ? MOST : least(left, 4);
        if (many == MOST) work(o, Size<MOST>());
        else if (many == 4) work(o, Size<4>());
        else if (many == 3) work(o, Size<3>());
        else if (many == 2) work(o, Size<2>());
        else work(o, Size<1>());
    }
}

struct Run { const float* x; long at; int lines; };  // lines of x, whose weights begin at line `at`

template <int C, int NV>
static void cells(const std::vector<Run>& runs, const float* w, const float* bias, float* y,
                  const float* mask, int images, const Layer d) {
    constexpr int HALF = NV > 1 ? NV / 2 : 1;
    if (images % (NV * L)) return cells<C, HALF>(runs, w, bias, y, mask, images, d);
    for (int i = 0; i < images; i += NV * L) {
        Cell<C, NV> cell(bias);
        for (const Run& run : runs) cell.add(run.x + i, d.n, w + run.at * C, 1, C, run.lines);
        cell.write(y + i, d.n, mask ? mask + i : nullptr, d.slope);
    }
}

// weights[group][row][column][c][channel of the group].
static Numbers packed(const float* w, const Layer& d) {
    Numbers to((long)d.C * d.c * d.k * d.k);
    in_groups<4>(d.C, [&](int first, auto group) {
        float* q = &to[(long)first * d.c * d.k * d.k];
        for (int tap = 0; tap < d.k * d.k; tap++)
            for (int c = 0; c < d.c; c++)
                for (int j = 0; j < group; j++) {
                    const float* from = w + (first + j) * d.out + c * d.in;
                    *q++ = from[tap / d.k * d.row + tap % d.k * d.column];
                }
    });
    return to;
}

// Kernel 4 with stride 2 that doubles or halves an image exactly has two taps a side in each of
// four phases, so that 2 x 2 outputs of a phase take 9 products instead of 16 (Winograd 1980).
static bool is_tiled(const Layer& d) {
    int h = d.up ? d.h : d.H, w = d.up ? d.w : d.W;
    bool exact = (d.up ? d.H : d.h) == 2 * h && (d.up ? d.W : d.w) == 2 * w && h % 2 + w % 2 == 0;
    bool pays = h * w >= 16 && d.C * d.c >= 1024;  // the sums and differences cost time, too
    return d.k == 4 && d.s == 2 && d.p == 1 && exact && pays;
}

// weights[group][part][kind][phase][c][channel of the group]. The parts are the phases if up, or
// else one with all of them. Kinds: both, first, second tap of a column, times the same of a row.
static Numbers tiled_weights(const float* w, const Layer& d) {
    Numbers to(36l * d.C * d.c);
    in_groups<B>(d.C, [&](int first, auto group) {
        for (int q = 0; q < 4; q++) {
            int y = d.up ? 3 - q / 2 : q / 2, x = d.up ? 3 - q % 2 : q % 2, second = d.up ? -2 : 2;
            const float* from = w + first * d.out + y * d.row + x * d.column;
            long right = second * d.column, down = second * d.row;
            long kind = (d.up ? 1 : 4) * d.c * group;
            float* at = &to[(36l * first + (d.up ? 9 : 1) * q * group) * d.c];
            for (int c = 0; c < d.c; c++, from += d.in)
                for (int j = 0; j < group; j++, at++) {
                    const float *f = from + j * d.out, *g = f + down;
                    float sums[3] = {f[0] + f[right], f[0], f[right]};
                    float more[3] = {g[0] + g[right], g[0], g[right]};
                    for (int i = 0; i < 3; i++) {
                        at[i * kind] = sums[i] + more[i];
                        at[(3 + i) * kind] = sums[i], at[(6 + i) * kind] = more[i];
                    }
                }
        }
    });
    return to;
}

// What the kinds of weights are multiplied by: of 3 x 3 pixels, `step` apart, the middle one and
// what the others have more, in columns and in rows.
static void differences(const float* x, const Layer& d, int row, int column, int step,
                        const float* zeros, float* to, long kind, int images) {
    const float* at[9];
    const long n = d.n, next = 2 * step * d.c * n;
    for (int i = 0; i < 9; i++) {
        int r = row + i / 3 * step, s = column + i % 3 * step;
        at[i] = r < 0 || r >= d.h || s < 0 || s >= d.w ? zeros : x + d.input(r, s);
    }
    for (int c = 0; c < d.c; c++)
        for (long v = 0; v < images; v += L, to += L) {
            long here = c * n + v;
            V a[3][3];
            for (int i = 0; i < 9; i++)
                if (i % 3) __builtin_prefetch(at[i] + here + next);  // of the next tile
            for (int r = 0; r < 3; r++) {
                V middle = a[r][0] = load(at[3 * r + 1] + here);
                a[r][1] = load(at[3 * r] + here) - middle;
                a[r][2] = load(at[3 * r + 2] + here) - middle;
            }
            for (int s = 0; s < 3; s++) {
                store(to + s * kind, a[1][s]);
                store(to + (3 + s) * kind, a[0][s] - a[1][s]);
                store(to + (6 + s) * kind, a[2][s] - a[1][s]);
            }
        }
}

// Sums of four outputs, `apart` numbers apart, which share most of their products.
template <int C, int NV>
static void tile(const float* x, long kind, const float* w, const float* bias, int lines, float* y,
                 long apart, long n) {
    auto add = [&](Cell<C, NV>& cell, int i) {
        cell.add(x + i * kind, NV * L, w + (long)i * lines * C, 1, C, lines);
    };
    Cell<C, NV> both(bias), left(nullptr), right(nullptr);
    add(both, 0), add(left, 1), add(right, 2);
    for (int row = 3; row < 9; row += 3) {
        Cell<C, NV> here = both;
        add(here, row);
        for (int side = 1; side < 3; side++, y += apart) {
            Cell<C, NV> one = here;
            one.add((const float*)(side == 1 ? left : right).a, NV * L);
            add(one, row + side);
            one.write(y, n);
        }
    }
}

static void convolve_tiles(const Layer d, const float* x, const float* weights, const float* bias,
                           float* y, const float* mask, int from, int to) {
    int phases = d.up ? 1 : 4, step = d.up ? 1 : 2, spread = 3 - step, lines = phases * d.c;
    long pixel = (long)d.C * d.n;
    const Numbers w = tiled_weights(weights, d), zeros(d.c * d.n);
    Room around(9 * (2 * L * lines + GAP)), found(4 * pixel);
    float *near = around, *sums = found;
    for (int oy = 0; spread * oy < d.H; oy += 2)
        for (int ox = 0; spread * ox < d.W; ox += 2)
            for (int part = 0; part < 4 / phases; part++) {
                for (int i = from, images; i < to; i += images) {
                    images = least(2 * L, to - i);
                    long kind = (long)lines * images + GAP;
                    for (int q = part; q < part + phases; q++) {
                        int row = step * oy - 1 + q / 2, column = step * ox - 1 + q % 2;
                        float* here = near + (q - part) * d.c * images;
                        differences(x + i, d, row, column, step, zeros.data(), here, kind, images);
                    }
                    in_groups<B>(d.C, [&](int o, auto group) {
                        constexpr int C = decltype(group)::value;
                        auto run = images > L ? tile<C, 2> : tile<C, 1>;
                        const float* mine = &w[(36l * o + 9 * part * C) * d.c];
                        run(near, kind, mine, bias ? bias + o : nullptr, lines, sums + o * d.n + i,
                            pixel, d.n);
                    });
                }
                for (int q = 0; q < 4; q++) {
                    int row = oy + q / 2, column = ox + q % 2;
                    long at = d.output(spread * row + part / 2, spread * column + part % 2);
                    const float *s = sums + q * pixel, *signs = mask ? mask + at : s;
                    for (long c = 0; c < pixel; c += d.n)
                        for (long i = c + from; i < c + to; i += L)
                            store(y + at + i, bend(load(s + i), load(signs + i), d.slope));
                }
            }
}

// y = slope(convolution of x, plus bias); the slope is taken where the mask, or else that sum, is
// not positive.
extern "C" void convolve(const Layer* layer, const float* x, const float* weights,
                         const float* bias, float* y, const float* mask, int from, int to) {
    const Layer d = *layer;
    if (is_tiled(d)) return convolve_tiles(d, x, weights, bias, y, mask, from, to);
    const Numbers w = packed(weights, d);
    std::vector<Run> runs;
    for (int oy = 0; oy < d.H; oy++) {
        Seen rows = seen(oy, d.h, d);
        for (int ox = 0; ox < d.W; ox++) {
            Seen columns = seen(ox, d.w, d);
            runs.clear();
            for (int i = 0; i < rows.count; i++)
                for (int j = 0; j < (d.up ? columns.count : 1); j++) {  // taps rise: one run a row
                    long ky = rows.tap + i * (d.up ? -d.s : 1), kx = columns.tap - j * d.s;
                    int lines = d.c * (d.up ? 1 : columns.count);
                    const float* start = x + d.input(rows.at + i, columns.at + j) + from;
                    runs.push_back({start, (ky * d.k + kx) * d.c, lines});
                }
            in_groups<4>(d.C, [&](int o, auto group) {
                constexpr int C = decltype(group)::value, NV = C > 2 ? WIDE : 4 * WIDE / C;
                long at = d.output(oy, ox) + (long)o * d.n + from;
                cells<C, NV>(runs, &w[(long)o * d.k * d.k * d.c], bias ? bias + o : nullptr, y + at,
                             mask ? mask + at : nullptr, to - from, d);
            });
        }
    }
}

// The numbers of a, and after them of b, at the places `from`.
static inline V pick(V a, V b, I from) {
#ifdef __clang__
    V found;
    for (int l = 0; l < L; l++) found[l] = from[l] < L ? a[from[l]] : b[from[l] - L];
    return found;
#else
    return __builtin_shuffle(a, b, from);
#endif
}

// The numbers of L images at L places become L numbers of each image, `pitch` numbers apart.
static inline void turn(const float* const* places, long image, long next, float* to, long pitch) {
    V a[L];
    for (int i = 0; i < L; i++) {
        a[i] = load(places[i] + image);
        __builtin_prefetch(places[i] + image + next);
    }
#pragma GCC unroll 4
    for (int s = 1; s < L; s *= 2) {
        I low, high;
        for (int l = 0; l < L; l++) low[l] = l & s ? L + l - s : l, high[l] = l & s ? L + l : l + s;
#pragma GCC unroll 16
        for (int i = 0; i < L; i++)
            if (!(i & s)) {
                V first = a[i], second = a[i + s];
                a[i] = pick(first, second, low);
                a[i + s] = pick(first, second, high);
            }
    }
    for (int i = 0; i < L; i++) store(to + i * pitch, a[i]);
}

// += the products of each row's images with NV vectors of each image, summed over images.
template <int NV>
static void products(const float* turned, long pitch, const float* rows, int count, long n,
                     float* to, long lanes) {
    in_groups<12 / NV>(count, [&](int first, auto group) {
        Cell<decltype(group)::value, NV> cell(nullptr);
        cell.add(turned, pitch, rows + first * n, n, 1, n);
        cell.add(to + first * lanes, lanes);
        cell.write(to + first * lanes, lanes);
    });
}

// The gradient of a convolution's weights from its output's gradient (small) and input (big), for
// output channels `from` to `to`; of a transposed one from its input (small) and output's gradient.
// Lanes are output channels; if they are few, those of all small rows that see the same big row.
extern "C" void weigh(const Layer* layer, const float* small, const float* big, float* dw, int from,
                      int to) {
    const Layer d = *layer;
    int mine = to - from, together = d.C <= L / 2 ? (d.k + d.s - 1) / d.s : 1;
    int parts = together > 1 ? d.s : d.k;  // big rows that the same small ones see
    long lanes = (together * mine + L - 1) / L * L, part = lanes * d.k * d.c, pitch = lanes + L;
    const Numbers zeros(d.n);
    std::vector<const float*> places(lanes, zeros.data());
    Room found(part * parts), room(pitch * d.n);
    float *sums = found, *turned = room;
    for (int y = 1 - together; y < d.H; y++)
        for (int x = 0; x < d.W; x++) {
            for (int row = y, l = 0; row < y + together; row++)
                for (int c = from; c < to; c++, l++) {
                    bool outside = row < 0 || row >= d.H;
                    places[l] = outside ? zeros.data() : small + d.output(row, x) + (long)c * d.n;
                }
            for (int l = 0; l < lanes; l += L)
                for (int i = 0; i < d.n; i += L)
                    turn(&places[l], i, (long)d.C * d.n, turned + i * pitch + l, pitch);
            Seen columns = seen(x, d.w, d);
            for (int q = 0; q < parts; q++) {
                int row = d.s * (y + together - 1) - d.p + q, count = columns.count * d.c;
                if (row < 0 || row >= d.h) continue;
                const float* line = big + d.input(row, columns.at);
                float* s = sums + q * part + columns.tap * d.c * lanes;
                for (int l = 0; l < lanes; l += 2 * L) {
                    auto run = lanes - l > L ? products<2> : products<1>;
                    run(turned + l, pitch, line, count, d.n, s + l, lanes);
                }
            }
        }
    for (int l = 0; l < together * mine; l++)
        for (int q = 0, ky = d.s * (together - 1 - l / mine); q < parts && ky < d.k; q++, ky++)
            for (int i = 0; i < d.k * d.c; i++)
                dw[(from + l % mine) * d.out + i % d.c * d.in + ky * d.row + i / d.c * d.column] =
                    sums[q * part + i * lanes + l];
}

// The sum over rows, columns and images of each channel.
extern "C" void channel_sums(const float* g, float* out, int rows, int columns, int channels, int n) {
    for (int c = 0; c < channels; c++) {
        double total = 0;
        for (int y = 0; y < rows; y++) {
            V line = V{};
            for (int x = 0; x < columns; x++)
                for (int i = 0; i < n; i += L) line += load(g + (((long)y * columns + x) * channels + c) * n + i);
            total += sum(line);
        }
        out[c] = total;
    }
}

static inline V exp_of(V x) {  // x <= 0
    V f = x * 1.44269504f;
    f = f < -126.f ? all(-126.f) : f;
    I k = __builtin_convertvector(f - 0.5f, I);
    V y = (f - __builtin_convertvector(k, V)) * 0.693147181f, t = all(1.f / 5040);
    for (float c : {1.f / 720, 1.f / 120, 1.f / 24, 1.f / 6, .5f, 1.f, 1.f}) t = t * y + c;
    I bits = (k + 127) << 23; V power; memcpy(&power, &bits, sizeof power);
    return t * power;
}
static inline V log_of(V x) {  // 1 <= x <= 2: twice the inverse tangent of (x - 1) / (x + 1)
    V u = (x - 1.f) / (x + 1.f), q = u * u, t = all(1.f / 15);
    for (float c : {1.f / 13, 1.f / 11, 1.f / 9, 1.f / 7, 1.f / 5, 1.f / 3, 1.f}) t = t * q + c;
    return 2.f * u * t;
}
static inline V bernoulli_term(V logit, V x, V* slope) {
    V e = exp_of(logit > 0 ? -logit : logit), d = 1.f / (1.f + e);
    *slope = (logit > 0 ? d : e * d) - x;
    return (logit > 0 ? logit : V{}) - logit * x + log_of(1.f + e);
}
static inline V squared_term(V output, V x, V* slope) {
    V apart = output - x;
    *slope = 2.f * apart;
    return apart * apart;
}
// The sum of all n terms, whole vectors; `gradient` becomes their slopes times `scale`.
template <V (*term)(V, V, V*)>
static double total(const float* output, const float* x, float* gradient, long n, float scale) {
    double found = 0;
    for (long i = 0; i < n;) {
        V part = V{}, slope;
        for (long end = least(i + NEAR, n); i < end; i += L) {
            part += term(load(output + i), load(x + i), &slope);
            store(gradient + i, scale * slope);
        }
        found += sum(part);
    }
    return found;
}
extern "C" double loss(int bernoulli, const float* output, const float* x, float* gradient, long n, float scale) {
    return (bernoulli ? total<bernoulli_term> : total<squared_term>)(output, x, gradient, n, scale);
}

// Bytes (images, channels, pixels) as numbers in [0, 1] (pixels, channels, images).
extern "C" void floats(const unsigned char* images, float* to, int n, int channels, int pixels) {
    float levels[256];
    for (int i = 0; i < 256; i++) levels[i] = i / 255.f;
    long apart = (long)channels * pixels;
    for (int p0 = 0; p0 < pixels; p0 += 64)
        for (int c = 0; c < channels; c++)
            for (int i0 = 0; i0 < n; i0 += 8)  // more would contend for lines of the cache
                for (long p = p0; p < least(p0 + 64, pixels); p++) {
                    const unsigned char* from = images + i0 * apart + c * pixels + p;
                    for (int i = 0; i < 8; i++) to[(p * channels + c) * n + i0 + i] = levels[from[i * apart]];
                }
}

// Numbers (pixels, channels, images) as images (channels, pixels) that begin `apart` numbers apart;
// whole lines of the cache are written.
extern "C" void take_out(const float* x, float* to, int n, int channels, int pixels, long apart) {
    constexpr int LINE = 16;
    for (int c = 0; c < channels; c++)
        for (int p0 = 0; p0 < pixels; p0 += LINE)
            for (int i0 = 0; i0 < n; i0 += LINE) {
                int end = least(LINE, pixels - p0);
                for (int i = i0; i < i0 + LINE; i++)
                    for (int p = 0; p < end; p++)
                        to[i * apart + (long)c * pixels + p0 + p] = x[((long)(p0 + p) * channels + c) * n + i];
            }
}
