// Convolutions of images that are innermost in memory: rows, columns, channels, images.
//
// A vector holds one number of several images, so few channels waste no lane; a line of a patch is
// contiguous, so a convolution is a sum of small matrix products and no patch is ever copied. Every
// sum is taken in an order that follows from the sizes alone: the same numbers give the same bits.
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <vector>

#ifdef __AVX512F__
constexpr int L = 16, WIDE = 4, S = 4, T = 4;  // lanes; vectors a cell; channels of a weight tile
#else
constexpr int L = 8, WIDE = 2, S = 4, T = 2;
#endif
constexpr int B = 4, BLOCK = 64;  // channels of a cell; images that are worked on at once
constexpr long NEAR = 4096;       // numbers that stay in the first cache

typedef float V __attribute__((vector_size(4 * L)));
typedef int I __attribute__((vector_size(4 * L)));
static inline V load(const float* p) { V v; memcpy(&v, p, sizeof v); return v; }
static inline void store(float* p, V v) { memcpy(p, &v, sizeof v); }
static inline V all(float a) { return a - V{}; }
static inline double sum(V v) { double t = 0; for (int i = 0; i < L; i++) t += v[i]; return t; }
static inline int least(long a, long b) { return a < b ? a : b; }

// Input and output (rows, columns, channels), images, kernel, stride, padding before the first row,
// whether inputs are spread over outputs (a transposed convolution), the slope below zero of what
// follows, and the strides of the weights: output channel, input channel, row, column.
struct Layer { int h, w, c, H, W, C, n, k, s, p, up; float slope; long out, in, row, column; };

// Which inputs of a line an output sees: the first one, how many, the tap of the first.
struct Seen { int at, count, tap; };
static Seen seen(int out, int inputs, const Layer& d) {
    if (!d.up) {  // input = s out - p + tap
        int at = d.s * out - d.p, skip = at < 0 ? -at : 0;
        return {at + skip, least(d.k, inputs - at) - skip, skip};
    }
    int tap = (out + d.p) % d.s, last = (out + d.p) / d.s, count = (d.k - tap + d.s - 1) / d.s;
    int at = last - count + 1, skip = at < 0 ? -at : 0, over = last < inputs ? 0 : last - inputs + 1;
    return {at + skip, count - skip - over, tap + d.s * (count - 1 - skip)};  // taps fall
}
// The place of a tap among its line's, in the order of the inputs that an output sees.
static int place(int tap, const Layer& d) {
    if (!d.up) return tap;
    int before = 0;
    for (int t = 0; t < tap % d.s; t++) before += (d.k - t + d.s - 1) / d.s;
    return before + (d.k - 1 - tap) / d.s;
}

struct Run { const float* x; long at; int k; };  // k lines of x, whose weights begin at line `at`
struct End { const float *bias, *mask; float slope; bool first, last; };

// C channels of NV vectors of images of one pixel.
template <int C, int NV>
struct Cell {
    V a[C][NV];
    // += the sum over lines of weight times x.
    inline void add(const Run* runs, int count, const float* weights, long shift, long n) {
        for (int r = 0; r < count; r++) {
            const float *x = runs[r].x + shift, *w = weights + runs[r].at * C;
#pragma GCC unroll 4
            for (int k = 0; k < runs[r].k; k++, x += n, w += C) {
                V xv[NV];
                for (int v = 0; v < NV; v++) xv[v] = load(x + v * L);
                for (int j = 0; j < C; j++)
                    for (int v = 0; v < NV; v++) a[j][v] += w[j] * xv[v];
            }
        }
    }
    inline void write(float* y, long n, End e) const {
        for (int j = 0; j < C; j++)
            for (int v = 0; v < NV; v++) {
                V r = a[j][v];
                if (e.last && e.slope != 1) {  // a number that is none stays one
                    V at = e.mask ? load(e.mask + j * n + v * L) : r;
                    r = at <= 0 ? e.slope * r : r;
                }
                store(y + j * n + v * L, r);
            }
    }
};
template <int C, int NV>
static void cell(const Run* runs, int count, const float* weights, long shift, float* y, long n, End e) {
    Cell<C, NV> c;
    for (int j = 0; j < C; j++)
        for (int v = 0; v < NV; v++)
            c.a[j][v] = e.first ? all(e.bias ? e.bias[j] : 0.f) : load(y + j * n + v * L);
    c.add(runs, count, weights, shift, n);
    c.write(y, n, e);
}
template <int C, int NV>
static void cells(const Run* runs, int count, const float* w, float* y, int images, long n, End e) {
    if (NV > 1 && images % (NV * L)) return cells<C, (NV > 1 ? NV / 2 : 1)>(runs, count, w, y, images, n, e);
    for (int i = 0; i < images; i += NV * L) {
        End here = e;
        if (e.mask) here.mask = e.mask + i;
        cell<C, NV>(runs, count, w, i, y + i, n, here);
    }
}

// weights[o / B][row][place][c][o % B]; the last group may be smaller.
static std::vector<float> packed(const float* w, const Layer& d) {
    std::vector<float> to((long)d.C * d.c * d.k * d.k);
    for (int o = 0; o < d.C; o++) {
        int first = o / B * B, group = least(B, d.C - first);
        for (int ky = 0; ky < d.k; ky++)
            for (int kx = 0; kx < d.k; kx++) {
                long line = ((long)first * d.k * d.k) + ((long)ky * d.k + place(kx, d)) * group;
                float* q = &to[line * d.c + (o - first)];
                const float* from = w + o * d.out + ky * d.row + kx * d.column;
                for (int i = 0; i < d.c; i++) q[i * group] = from[i * d.in];
            }
    }
    return to;
}

// y = slope(convolution of x, plus bias); with a mask the slope is taken where the mask is not positive.
extern "C" void convolve(const Layer* layer, const float* x, const float* weights, const float* bias,
                         float* y, const float* mask, int from, int to) {
    const Layer d = *layer;
    const std::vector<float> w = packed(weights, d);
    std::vector<Run> runs;
    for (int i0 = from; i0 < to; i0 += BLOCK) {
        int images = least(BLOCK, to - i0), most = NEAR / images;
        for (int oy = 0; oy < d.H; oy++) {
            Seen rows = seen(oy, d.h, d);
            for (int ox = 0; ox < d.W; ox++) {
                Seen columns = seen(ox, d.w, d);
                runs.clear();
                for (int i = 0; i < rows.count; i++) {
                    int ky = d.up ? rows.tap - i * d.s : rows.tap + i;
                    const float* xr = x + (((long)(rows.at + i) * d.w + columns.at) * d.c) * d.n + i0;
                    long at = ((long)ky * d.k + place(columns.tap, d)) * d.c;
                    for (int left = columns.count * d.c, k; left > 0; left -= k, at += k, xr += (long)k * d.n)
                        runs.push_back({xr, at, k = least(left, most)});
                }
                float* out = y + ((long)oy * d.W + ox) * d.C * d.n + i0;
                int n_runs = runs.size(), r = 0;
                do {
                    int end = r, lines = 0;
                    while (end < n_runs && (end == r || lines + runs[end].k <= most)) lines += runs[end++].k;
                    for (int o = 0; o < d.C; o += B) {
                        long there = (long)o * d.n;
                        End e{bias ? bias + o : nullptr, mask ? mask + (out - y) + there : nullptr, d.slope,
                              r == 0, end == n_runs};
                        const float* mine = &w[(long)o * d.k * d.k * d.c];
#define CELLS(c, v) cells<c, v>(runs.data() + r, end - r, mine, out + there, images, d.n, e)
                        switch (d.C - o) {
                            case 1: CELLS(1, 4 * WIDE); break;
                            case 2: CELLS(2, 2 * WIDE); break;
                            case 3: CELLS(3, WIDE); break;
                            default: CELLS(B, WIDE);
                        }
                    }
                    r = end;
                } while (r < n_runs);
            }
        }
    }
}

// Two outputs of one phase of a doubling, y and y + step, which share the input between them:
// (a + b) x serves both, and each adds one product of a difference of neighbours (Winograd 1980).
template <int C, int NV>
static void pair(const Run (*runs)[2], int count, const float* w, float* y, long step, int images, long n, End e) {
    if (NV > 1 && images % (NV * L)) return pair<C, (NV > 1 ? NV / 2 : 1)>(runs, count, w, y, step, images, n, e);
    for (int i = 0; i < images; i += NV * L) {
        Cell<C, NV> both = {};
        both.add(runs[0], count, w, i, n);
        for (int side = 0; side < 2; side++) {
            Cell<C, NV> one = both;
            one.add(runs[1 + side], count, w, i, n);
            End here = e;
            here.mask += i + side * step;
            one.write(y + i + side * step, n, here);
        }
    }
}

// As `convolve` for a transposed kernel 4 with stride 2 and padding 1 of an even number of columns,
// without a bias: three products where it takes four. The bits are others.
extern "C" void doubled(const Layer* layer, const float* x, const float* weights, float* y, const float* mask,
                        int from, int to) {
    const Layer d = *layer;
    long line = (long)d.c * d.n;  // of one pixel
    std::vector<float> apart(d.h * (d.w + 1) * line), w((long)d.C * d.c * 24);
    for (int r = 0; r < d.h; r++)
        for (int m = 0; m <= d.w; m++) {
            const float* here = x + ((long)r * d.w + m) * line;
            float* q = &apart[((long)r * (d.w + 1) + m) * line];
            for (long i = 0; i < line; i++) q[i] = (m < d.w ? here[i] : 0.f) - (m ? here[i - line] : 0.f);
        }
    for (int o = 0; o < d.C; o++) {  // w[o / B][row][phase][both, first, second][c][o % B]
        int start = o / B * B, group = least(B, d.C - start);
        for (int q = 0; q < 8; q++) {
            const float *a = weights + o * d.out + q / 2 * d.row + (q % 2 ? 2 : 3) * d.column, *b = a - 2 * d.column;
            float* at = &w[((long)start * 24 + q * 3 * group) * d.c + (o - start)];
            for (int c = 0; c < d.c; c++, a += d.in, b += d.in, at += group)
                at[0] = *a + *b, at[d.c * group] = -*a, at[2 * d.c * group] = *b;
        }
    }
    for (int i0 = from; i0 < to; i0 += 2 * L)
        for (int oy = 0; oy < d.H; oy++) {
            Seen rows = seen(oy, d.h, d);
            for (int ox = 0; ox < d.W; ox += ox % 2 ? 3 : 1) {  // with ox + 2
                int phase = ox % 2, m = ox / 2 + phase;
                Run runs[3][2];
                for (int i = 0; i < rows.count; i++) {
                    long at = ((rows.tap - 2 * i) * 2 + phase) * 3l * d.c, r = rows.at + i;
                    runs[0][i] = {x + (r * d.w + m) * line + i0, at, d.c};
                    for (int side = 0; side < 2; side++)
                        runs[1 + side][i] = {&apart[(r * (d.w + 1) + m + side) * line] + i0, at + (1 + side) * d.c, d.c};
                }
                float* out = y + ((long)oy * d.W + ox) * d.C * d.n + i0;
                int images = least(2 * L, to - i0);
                for (int o = 0; o < d.C; o += B) {
                    End e{nullptr, mask + (out - y) + (long)o * d.n, d.slope, true, true};
#define PAIR(channels) pair<channels, 2>(runs, rows.count, &w[(long)o * 24 * d.c], out + (long)o * d.n, 2l * d.C * d.n, images, d.n, e)
                    switch (d.C - o) {
                        case 1: PAIR(1); break;
                        case 2: PAIR(2); break;
                        case 3: PAIR(3); break;
                        default: PAIR(B);
                    }
                }
            }
        }
}

// S channels of the small image times T of the large one, summed over pixels and images.
template <int S, int T>
static inline void product(const float* small, long small_step, const float* big, long big_step, int pixels,
                           int n, V* to, long stride) {
    V a[S][T] = {};
    do {  // loops that run at least once: the compiler then keeps the sums in registers
        int i = 0;
        do {
            V b[T];
            for (int t = 0; t < T; t++) b[t] = load(big + t * n + i);
            for (int s = 0; s < S; s++) {
                V v = load(small + s * n + i);
                for (int t = 0; t < T; t++) a[s][t] += v * b[t];
            }
        } while ((i += L) < n);
        small += small_step, big += big_step;
    } while (--pixels);
    for (int s = 0; s < S; s++)
        for (int t = 0; t < T; t++) to[t * stride + s] += a[s][t];
}

// The gradient of a convolution's weights from its output's gradient (small) and input (big), for
// output channels `from` to `to`. A transposed one is its mirror: input small, output's gradient big.
extern "C" void weigh(const Layer* layer, const float* small, const float* big, float* dw, int from, int to) {
    const Layer d = *layer;
    int mine = to - from, part = least(mine, 2 * S);
    long cells = (long)mine * d.c * d.k * d.k;
    V* acc = (V*)aligned_alloc(64, (sizeof(V) * cells + 63) / 64 * 64);
    memset((void*)acc, 0, sizeof(V) * cells);
    int tile = NEAR / (part * d.n) > 1 ? NEAR / (part * d.n) : 1;
    for (int y = 0; y < d.H; y++) {
        Seen rows = seen(y, d.h, d);
        for (int x0 = 0; x0 < d.W; x0 += tile)
            for (int c0 = 0; c0 < mine; c0 += part)
                for (int i = 0; i < rows.count; i++)
                    for (int kx = 0; kx < d.k; kx++) {
                        int lo = d.p > kx ? (d.p - kx + d.s - 1) / d.s : 0, end = d.w - 1 + d.p - kx;
                        int hi = end < 0 ? 0 : least(least(end / d.s + 1, d.W), x0 + tile);
                        if (lo < x0) lo = x0;
                        if (hi <= lo) continue;
                        const float* sm = small + (((long)y * d.W + lo) * d.C + from) * d.n;
                        const float* bg = big + (((long)(rows.at + i) * d.w + d.s * lo - d.p + kx) * d.c) * d.n;
                        V* q = acc + ((rows.tap + i) * d.k + kx) * (long)d.c * mine;
                        long ss = (long)d.C * d.n, bs = (long)d.s * d.c * d.n;
#define PRODUCT(S, T) product<S, T>(sm + c * d.n, ss, bg + (long)t * d.n, bs, hi - lo, d.n, q + (long)t * mine + c, mine)
                        for (int t = 0, wide; t < d.c; t += wide) {
                            wide = d.c - t == 3 ? 3 : d.c - t >= T ? T : 1;
                            for (int c = c0; c < least(c0 + part, mine);) {
                                if (mine - c < S) { wide == T ? PRODUCT(1, T) : wide == 3 ? PRODUCT(1, 3) : PRODUCT(1, 1); c++; }
                                else { wide == T ? PRODUCT(S, T) : wide == 3 ? PRODUCT(S, 3) : PRODUCT(S, 1); c += S; }
                            }
                        }
                    }
    }
    for (int q = 0; q < d.k * d.k; q++)
        for (int t = 0; t < d.c; t++)
            for (int c = 0; c < mine; c++)
                dw[(from + c) * d.out + t * d.in + q / d.k * d.row + q % d.k * d.column] =
                    sum(acc[((long)q * d.c + t) * mine + c]);
    free(acc);
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
    for (int p0 = 0; p0 < pixels; p0 += 64)
        for (int c = 0; c < channels; c++)
            for (int i0 = 0; i0 < n; i0 += 16)
                for (int p = p0; p < least(p0 + 64, pixels); p++)
                    for (int i = i0; i < least(i0 + 16, n); i++)
                        to[((long)p * channels + c) * n + i] = levels[images[((long)i * channels + c) * pixels + p]];
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
