// Zero crossings of polynomials of up to the fourth degree on [0, 1], as foley-hail's `roots`, and points
// close enough to zero that rounding could hide a crossing.

struct Polynomial {
    c: vec4<f32>,
    c4: f32,
}

struct Roots {
    count: u32,
    at: array<f32, 4>,
}

// Crossings, their uncertainty on [0, 1], and whether they are certain.
struct Crossings {
    count: u32,
    at: array<f32, 4>,
    uncertainty: array<f32, 4>,
    certain: array<bool, 4>,
}

fn value(p: Polynomial, s: f32) -> f32 {
    return p.c.x + s * (p.c.y + s * (p.c.z + s * (p.c.w + s * p.c4)));
}

fn slope(p: Polynomial, s: f32) -> f32 {
    return p.c.y + s * (2.0 * p.c.z + s * (3.0 * p.c.w + s * 4.0 * p.c4));
}

fn add(roots: ptr<function, Roots>, s: f32) {
    if s >= 0.0 && s <= 1.0 && (*roots).count < 4u {
        (*roots).at[(*roots).count] = s;
        (*roots).count += 1u;
    }
}

// The crossings of a quadratic on [0, 1], before and after its extremum.
struct QuadraticCrossings {
    at: vec2<f32>,
    uncertainty: vec2<f32>,
    certain: vec2<bool>,
    present: vec2<bool>,
}

fn quadratic_crossings(c0: f32, c1: f32, c2: f32, near: f32) -> QuadraticCrossings {
    var result = QuadraticCrossings(vec2(2.0), vec2(0.0), vec2(false), vec2(false));
    let at_one = c0 + c1 + c2;
    let coefficients = vec3(c0, c0 + 0.5 * c1, at_one);
    if all(coefficients > vec3(near)) || all(coefficients < vec3(-near)) { return result; }
    let extremum_inside = c1 * c2 < 0.0 && abs(c1) < 2.0 * abs(c2);
    let extremum = select(1.0, -0.5 * c1 / c2, extremum_inside);
    let at_extremum = select(at_one, c0 + 0.5 * c1 * extremum, extremum_inside);
    // The form without cancellation.
    let root = sqrt(max(c1 * c1 - 4.0 * c2 * c0, 0.0));
    let q = -0.5 * (c1 + select(-root, root, c1 >= 0.0));
    let one = select(2.0, q / c2, abs(q) <= 2.0 * abs(c2) && c2 != 0.0);
    let two = select(2.0, c0 / q, abs(c0) <= 2.0 * abs(q) && q != 0.0);
    let lesser = min(one, two);
    let greater = max(one, two);
    // Without an extremum inside there is at most one root.
    let early = select(select(greater, lesser, lesser >= 0.0), lesser, extremum_inside);
    let ends = vec3(c0, at_extremum, at_one);
    result.certain = (ends.xy < vec2(0.0)) != (ends.yz < vec2(0.0));
    let smallest = min(abs(ends.xy), abs(ends.yz));
    result.present = result.certain | (smallest <= vec2(near));
    result.present.y = result.present.y && extremum_inside;
    let size = max(vec2(extremum, 1.0 - extremum), vec2(0.0));
    let slopes = abs(vec2(c1) + 2.0 * c2 * vec2(early, greater));
    let at_ends = select(vec2(extremum, 1.0), vec2(0.0, extremum), abs(ends.xy) <= abs(ends.yz));
    result.at = select(at_ends, clamp(vec2(early, greater), vec2(0.0, extremum), vec2(extremum, 1.0)), result.certain);
    result.uncertainty = select(size, min(vec2(near) / max(slopes, vec2(1e-30)), size), result.certain);
    return result;
}

// The roots of c0 + c1 s + c2 s² on [0, 1], ascending, without divisions that could overflow.
fn quadratic(c0: f32, c1: f32, c2: f32) -> Roots {
    var roots = Roots();
    let discriminant = c1 * c1 - 4.0 * c2 * c0;
    if discriminant < 0.0 { return roots; }
    let q = -0.5 * (c1 + select(-1.0, 1.0, c1 >= 0.0) * sqrt(discriminant));
    var one = -1.0;
    var two = -1.0;
    if c2 != 0.0 && abs(q) <= abs(c2) { one = q / c2; }
    if q != 0.0 && abs(c0) <= abs(q) { two = c0 / q; }
    add(&roots, min(one, two));
    add(&roots, max(one, two));
    return roots;
}

// The single root between two points of opposite sign: Newton steps, or bisection.
fn refine(p: Polynomial, from_s: f32, to_s: f32, rises: bool) -> f32 {
    var lo = from_s;
    var hi = to_s;
    var s = 0.5 * (lo + hi);
    var step = hi - lo;
    for (var i = 0; i < 40; i++) {
        let f = value(p, s);
        if f == 0.0 { return s; }
        if (f < 0.0) == rises { lo = s; } else { hi = s; }
        let k = slope(p, s);
        var next = 0.5 * (lo + hi);
        if abs(k) * 0.5 * step >= abs(f) && k != 0.0 {
            let newton = s - f / k;
            if newton > lo && newton < hi { next = newton; }
        }
        step = abs(next - s);
        s = next;
        if step <= 1.0 / 8388608.0 { break; }
    }
    return s;
}

// The extrema: between two of them a polynomial is monotonic.
fn extrema(p: Polynomial) -> Roots {
    var roots = Roots();
    if p.c.w == 0.0 && p.c4 == 0.0 {
        if p.c.z != 0.0 && abs(p.c.y) <= 2.0 * abs(p.c.z) { add(&roots, -0.5 * p.c.y / p.c.z); }
        return roots;
    }
    let inflections = quadratic(2.0 * p.c.z, 6.0 * p.c.w, 12.0 * p.c4);
    let d = Polynomial(vec4(p.c.y, 2.0 * p.c.z, 3.0 * p.c.w, 4.0 * p.c4), 0.0);
    var lo = 0.0;
    var at_lo = d.c.x;
    for (var i = 0u; i <= inflections.count; i++) {
        var hi = 1.0;
        if i < inflections.count { hi = inflections.at[i]; }
        let at_hi = value(d, hi);
        if (at_lo < 0.0) != (at_hi < 0.0) { add(&roots, refine(d, lo, hi, at_lo < 0.0)); }
        lo = hi;
        at_lo = at_hi;
    }
    return roots;
}

// Whether the Bernstein coefficients, which enclose the values, are all on one side of zero by `near`.
fn one_sign(p: Polynomial, near: f32) -> bool {
    let c = p.c;
    let a = vec4(c.x, c.x + 0.25 * c.y, c.x + 0.5 * c.y + c.z / 6.0, c.x + 0.75 * c.y + 0.5 * c.z + 0.25 * c.w);
    let last = c.x + c.y + c.z + c.w + p.c4;
    return (all(a > vec4(near)) && last > near) || (all(a < vec4(-near)) && last < -near);
}

fn crossings(p: Polynomial, near: f32) -> Crossings {
    var result = Crossings();
    if one_sign(p, near) { return result; }
    let extremum = extrema(p);
    var lo = 0.0;
    var at_lo = p.c.x;
    for (var i = 0u; i <= extremum.count; i++) {
        var hi = 1.0;
        if i < extremum.count { hi = extremum.at[i]; }
        let at_hi = value(p, hi);
        let n = result.count;
        if n < 4u && (at_lo < 0.0) != (at_hi < 0.0) {
            let s = refine(p, lo, hi, at_lo < 0.0);
            let k = abs(slope(p, s));
            result.at[n] = s;
            result.uncertainty[n] = select(hi - lo, near / k, k * (hi - lo) > near);
            result.certain[n] = true;
            result.count += 1u;
        } else if n < 4u && min(abs(at_lo), abs(at_hi)) <= near {
            result.at[n] = select(hi, lo, abs(at_lo) <= abs(at_hi));
            result.uncertainty[n] = hi - lo;
            result.certain[n] = false;
            result.count += 1u;
        }
        lo = hi;
        at_lo = at_hi;
    }
    return result;
}
