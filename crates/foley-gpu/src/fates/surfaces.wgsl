// What stones strike: planes, quadrics and triangles, as foley-hail's `collider` and `bvh`, with
// predicates that are wider by what rounding may cost.

struct Node {
    lo: vec3<f32>,
    // A leaf's first item; otherwise where to go on when the box is missed.
    link: u32,
    hi: vec3<f32>,
    // Items of a leaf; 0 if it is none.
    count: u32,
}

struct Collider {
    // 0 quadrilateral, 1 disc, 2 quadric, 3 mesh.
    kind: u32,
    first_part: u32,
    end_part: u32,
    // Of a mesh: its columns of cells.
    columns: u32,
    // Texels: first column and row, width and height.
    patch_of: vec4<u32>,
    // Of a mesh: its nodes from and to, and its rows of cells.
    tree: vec4<u32>,
    // In w, for quadrics: how near to zero f may be where rounding could hide a crossing.
    origin: vec4<f32>,
    // Normal, across, along; or the three axes.
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    // Two corners and two corners; or the form, and the heights.
    d: vec4<f32>,
    e: vec4<f32>,
}

// A region of a surface.
struct Part {
    // 0 ellipse, 1 rectangle, 2 everything.
    kind: u32,
    hole: u32,
    pad: vec2<u32>,
    // Centre and radii, or least and greatest.
    a: vec2<f32>,
    b: vec2<f32>,
}

struct Triangle {
    corner: vec3<f32>,
    number: u32,
    ab: vec3<f32>,
    pad0: u32,
    ac: vec3<f32>,
    pad1: u32,
}

@group(0) @binding(2) var<storage, read> nodes: array<Node>;
@group(0) @binding(3) var<storage, read> colliders: array<Collider>;
@group(0) @binding(4) var<storage, read> parts: array<Part>;
@group(0) @binding(5) var<storage, read> triangles: array<Triangle>;

// A hit: the earliest sure one so far, and the earliest that may be one.
struct Found {
    t: f32,
    collider: u32,
    uv: vec2<f32>,
    normal: vec3<f32>,
}
var<private> found: Found;
var<private> maybe: Found;

// Whether there is a surface at uv, or may be: false only where a hole surely is.
fn solid(k: u32, uv: vec2<f32>, slack: vec2<f32>) -> bool {
    for (var i = colliders[k].first_part; i < colliders[k].end_part; i++) {
        let part = parts[i];
        var inside = true;
        var outside = false;
        if part.kind == 0u {
            let q = abs(uv - part.a);
            let nearer = max(q - slack, vec2(0.0)) / part.b;
            let farther = (q + slack) / part.b;
            inside = dot(farther, farther) < 1.0;
            outside = dot(nearer, nearer) > 1.0;
        } else if part.kind == 1u {
            inside = all(uv - slack > part.a) && all(uv + slack < part.b);
            outside = any(uv + slack < part.a) || any(uv - slack > part.b);
        }
        if inside { return part.hole == 0u; }
        if !outside { return true; }
    }
    return true;
}

// Takes a hit so far inside an outline, in metres; where rounding could have put it outside, or the
// other way round, as one that may be. True if it is sure.
fn take(hit: Found, inside: f32, slack: f32, slack_uv: vec2<f32>, sure: bool) -> bool {
    if inside < -slack { return false; }
    // A hundredth of the margin closes the seams between triangles.
    if sure && inside >= -0.01 * sky.margin && solid(hit.collider, hit.uv, vec2(0.0)) {
        found = hit;
        return true;
    }
    if hit.t < maybe.t && solid(hit.collider, hit.uv, slack_uv) { maybe = hit; }
    return false;
}

fn perp(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return a.x * b.y - a.y * b.x;
}

// (u, v) of a place in a quadrilateral; see foley-hail's `bilinear`.
fn bilinear(c0: vec2<f32>, c1: vec2<f32>, c2: vec2<f32>, c3: vec2<f32>, p: vec2<f32>) -> vec2<f32> {
    let e = c1 - c0;
    let f = c3 - c0;
    let g = (c0 - c1) + (c2 - c3);
    let h = p - c0;
    let k0 = perp(h, e);
    let k1 = perp(e, f) + perp(h, g);
    let k2 = perp(g, f);
    let root = sqrt(max(k1 * k1 - 4.0 * k0 * k2, 0.0));
    let v = clamp(-2.0 * k0 / max(k1 + root, 1e-30), 0.0, 1.0);
    let side = e + g * v;
    return vec2(clamp(dot(h - f * v, side) / max(dot(side, side), 1e-30), 0.0, 1.0), v);
}

// How far inside the outline of a plane a place is, in metres, and its uv in yz.
fn in_outline(k: u32, q: vec3<f32>) -> vec3<f32> {
    let across = colliders[k].b.xyz;
    let along = colliders[k].c.xyz;
    let p = vec2(dot(across, q), dot(along, q));
    if colliders[k].kind == 1u {
        let inside = (1.0 - length(p)) / max(length(across), length(along));
        return vec3(inside, clamp(0.5 * (p + 1.0), vec2(0.0), vec2(1.0)));
    }
    let d = colliders[k].d;
    let e = colliders[k].e;
    var corner = array(d.xy, d.zw, e.xy, e.zw);
    var inside = 1e30;
    for (var i = 0u; i < 4u; i++) {
        let edge = corner[(i + 1u) & 3u] - corner[i];
        inside = min(inside, perp(edge, p - corner[i]) / length(edge));
    }
    return vec3(inside, bilinear(d.xy, d.zw, e.xy, e.zw, p));
}

// u and v a metre, at most.
fn uv_per_m(k: u32) -> f32 {
    if colliders[k].kind == 1u {
        return 0.5 * max(length(colliders[k].b.xyz), length(colliders[k].c.xyz));
    }
    let d = colliders[k].d;
    let e = colliders[k].e;
    let u = min(length(d.zw - d.xy), length(e.zw - e.xy));
    let v = min(length(e.xy - d.zw), length(d.xy - e.zw));
    return 2.0 / max(min(u, v), 1e-9);
}

fn strike_plane(k: u32, flight: Flight, times: vec2<f32>) {
    let n = colliders[k].a.xyz;
    let origin = colliders[k].origin.xyz;
    let span = times.y - times.x;
    let both = pair(
        dot(n, place_at(flight, times.x) - origin),
        dot(n, velocity_at(flight, times.x)) * span,
        0.5 * dot(n, sky.acceleration) * span * span,
        sky.margin,
    );
    for (var i = 0u; i < 2u; i++) {
        if !both.here[i] { continue; }
        let t = times.x + both.at[i] * span;
        let v = velocity_at(flight, t);
        let slack = sky.margin + length(v) * both.off[i] * span;
        let at = in_outline(k, place_at(flight, t) - origin);
        let hit = Found(t, k, at.yz, select(n, -n, dot(n, v) > 0.0));
        if take(hit, at.x, slack, vec2(slack * uv_per_m(k)), both.sure[i]) { return; }
    }
}

fn strike_quadric(k: u32, flight: Flight, times: vec2<f32>) {
    let frame = transpose(mat3x3(colliders[k].a.xyz, colliders[k].b.xyz, colliders[k].c.xyz));
    let origin = colliders[k].origin.xyz;
    let form = colliders[k].d.xyz;
    let heights = colliders[k].e.xy;
    let tall = heights.y - heights.x;
    let span = times.y - times.x;
    let w = vec3(1.0, 1.0, form.x);
    // q(s) = q0 + q1 s + q2 s²
    let q0 = frame * (place_at(flight, times.x) - origin);
    let q1 = (frame * velocity_at(flight, times.x)) * span;
    let q2 = (frame * sky.acceleration) * (0.5 * span * span);
    let p = Polynomial(vec4(
        dot(w * q0, q0) + form.y * q0.z + form.z,
        2.0 * dot(w * q0, q1) + form.y * q1.z,
        dot(w * q1, q1) + 2.0 * dot(w * q0, q2) + form.y * q2.z,
        2.0 * dot(w * q1, q2),
    ), dot(w * q2, q2));
    let all_of = crossings(p, colliders[k].origin.w);
    for (var i = 0u; i < all_of.count; i++) {
        let s = all_of.at[i];
        let t = times.x + s * span;
        let q = q0 + (q1 + q2 * s) * s;
        let velocity = velocity_at(flight, t);
        let slack = sky.margin + length(velocity) * all_of.off[i] * span;
        let v = (q.z - heights.x) / tall;
        let turns_ = atan2_turns(q.y, q.x);
        let u = select(turns_, turns_ + 1.0, turns_ < 0.0);
        let uv = clamp(vec2(u, v), vec2(0.0), vec2(1.0));
        let around = slack / max(6.2831853 * length(q.xy), 1e-9);
        let gradient = vec3(q.xy, form.x * q.z + 0.5 * form.y);
        let n = gradient * frame / max(length(gradient), 1e-20);
        let hit = Found(t, k, uv, select(n, -n, dot(n, velocity) > 0.0));
        let inside = min(v, 1.0 - v) * tall;
        if take(hit, inside, slack, vec2(around, slack / tall), all_of.sure[i]) { return; }
    }
}

// The angle in turns, to a few units in the last place; WGSL's own may be wrong by 4096.
fn atan2_turns(y: f32, x: f32) -> f32 {
    let ax = abs(x);
    let ay = abs(y);
    let large = max(ax, ay);
    if large == 0.0 { return 0.0; }
    let ratio = min(ax, ay) / large;
    // One step of Newton's from the built-in: with w near atan r, w + (r cos w − sin w)/(r sin w + cos w).
    let guess = atan(ratio) * 0.15915494309;
    let sc = sin_cos_turns(guess);
    var turns_ = guess + 0.15915494309 * (ratio * sc.y - sc.x) / (ratio * sc.x + sc.y);
    if ay > ax { turns_ = 0.25 - turns_; }
    if x < 0.0 { turns_ = 0.5 - turns_; }
    return select(turns_, -turns_, y < 0.0);
}

fn strike_triangle(k: u32, number: u32, flight: Flight, times: vec2<f32>) {
    let triangle = triangles[number];
    let ab = triangle.ab;
    let ac = triangle.ac;
    let cross_ = cross(ab, ac);
    let twice_area = length(cross_);
    let n = cross_ / twice_area;
    let span = times.y - times.x;
    let both = pair(
        dot(n, place_at(flight, times.x) - triangle.corner),
        dot(n, velocity_at(flight, times.x)) * span,
        0.5 * dot(n, sky.acceleration) * span * span,
        sky.margin,
    );
    for (var i = 0u; i < 2u; i++) {
        if !both.here[i] { continue; }
        let t = times.x + both.at[i] * span;
        let v = velocity_at(flight, t);
        let slack = sky.margin + length(v) * both.off[i] * span;
        let q = place_at(flight, t) - triangle.corner;
        let b = dot(cross(q, ac), n) / twice_area;
        let c = dot(cross(ab, q), n) / twice_area;
        let heights = twice_area / vec3(length(ac), length(ab), length(ac - ab));
        let inside = vec3(b, c, 1.0 - b - c) * heights;
        // Two triangles in each cell of a grid.
        let cell = triangle.number / 2u;
        let columns = colliders[k].columns;
        let part = select(vec2(1.0 - b, 1.0 - c), vec2(b, c), (triangle.number & 1u) == 0u);
        let cells = vec2(f32(columns), f32(colliders[k].tree.z));
        let at = vec2(f32(cell % columns), f32(cell / columns));
        let uv = (at + clamp(part, vec2(0.0), vec2(1.0))) / cells;
        let hit = Found(t, k, uv, select(n, -n, dot(n, v) > 0.0));
        let least = min(inside.x, min(inside.y, inside.z));
        if take(hit, least, slack, slack / heights.xy / cells, both.sure[i]) { return; }
    }
}

fn strike_mesh(k: u32, flight: Flight, within: vec2<f32>) {
    var i = colliders[k].tree.x;
    let end = colliders[k].tree.y;
    while i < end {
        let node = nodes[i];
        let times = clip(flight, node.lo, node.hi, vec2(within.x, min(within.y, found.t)));
        let missed = times.x > times.y;
        if node.count > 0u && !missed {
            for (var j = node.link; j < node.link + node.count; j++) {
                strike_triangle(k, j, flight, times);
            }
        }
        i = select(i + 1u, node.link, missed && node.count == 0u);
    }
}

// The first hit over all colliders, into `found`: if none is sure, one that may be.
fn first_hit(flight: Flight) {
    found = Found(sky.longest_s, NOTHING, vec2(0.0), vec3(0.0));
    maybe = found;
    var i = 0u;
    while i < sky.trees.x {
        let node = nodes[i];
        let times = clip(flight, node.lo, node.hi, vec2(0.0, found.t));
        let missed = times.x > times.y;
        if node.count > 0u && !missed { strike_plane(node.link, flight, times); }
        i = select(i + 1u, node.link, missed && node.count == 0u);
    }
    while i < sky.trees.y {
        let node = nodes[i];
        let times = clip(flight, node.lo, node.hi, vec2(0.0, found.t));
        let missed = times.x > times.y;
        if node.count > 0u && !missed { strike_quadric(node.link, flight, times); }
        i = select(i + 1u, node.link, missed && node.count == 0u);
    }
    while i < sky.trees.z {
        let node = nodes[i];
        let times = clip(flight, node.lo, node.hi, vec2(0.0, found.t));
        let missed = times.x > times.y;
        if node.count > 0u && !missed { strike_mesh(node.link, flight, times); }
        i = select(i + 1u, node.link, missed && node.count == 0u);
    }
    if found.collider == NOTHING { found = maybe; }
}
