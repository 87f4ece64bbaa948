// Intersection with planes, quadrics and triangles, as foley-hail's `collider` and `bvh`, with predicates
// widened by the rounding margin.

struct Node {
    lo: vec3<f32>,
    // The first item of a leaf; otherwise the node at which to continue when the box is missed.
    link: u32,
    hi: vec3<f32>,
    // The number of items of a leaf; 0 for an inner node.
    count: u32,
}

struct Collider {
    // 0 quadrilateral, 1 disc, 2 quadric, 3 mesh.
    kind: u32,
    first_part: u32,
    end_part: u32,
    // Of a mesh: the columns of its uv grid.
    columns: u32,
    // Texels in the atlas: first column and row, width and height.
    patch_of: vec4<u32>,
    // Of a mesh: the range of its nodes, and the rows of its uv grid.
    tree: vec4<u32>,
    // In w, for quadrics: the |f| below which rounding could hide a crossing.
    origin: vec4<f32>,
    // Normal, across and along; or the three axes.
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    // Four corners; or the form and the heights.
    d: vec4<f32>,
    e: vec4<f32>,
}

// A region of a surface.
struct Part {
    // 0 ellipse, 1 rectangle, 2 everywhere.
    kind: u32,
    hole: u32,
    pad: vec2<u32>,
    // Centre and radii, or smallest and largest.
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

// A hit. `nearest` is the earliest certain one so far, `possible` the earliest uncertain one.
struct Hit {
    t: f32,
    collider: u32,
    uv: vec2<f32>,
    normal: vec3<f32>,
}
var<private> nearest: Hit;
var<private> possible: Hit;

// Whether there may be a surface at uv: false only where there is certainly a hole.
fn is_solid(k: u32, uv: vec2<f32>, slack: vec2<f32>) -> bool {
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

// Records a hit at a distance `inside` the outline, in metres; as `possible` if rounding leaves it uncertain.
// Returns whether it is certain.
fn accept_hit(hit: Hit, inside: f32, slack: f32, slack_uv: vec2<f32>, certain: bool) -> bool {
    if inside < -slack { return false; }
    // A hundredth of the margin closes the seams between triangles.
    if certain && inside >= -0.01 * emitter.margin && is_solid(hit.collider, hit.uv, vec2(0.0)) {
        nearest = hit;
        return true;
    }
    if hit.t < possible.t && is_solid(hit.collider, hit.uv, slack_uv) { possible = hit; }
    return false;
}

// One step of the stackless BVH traversal: the items of a leaf whose box is hit, the interval, and the next
// node.
struct Visit {
    link: u32,
    count: u32,
    times: vec2<f32>,
    next: u32,
}

fn visit(i: u32, trajectory: Trajectory, within: vec2<f32>) -> Visit {
    let node = nodes[i];
    let times = clip(trajectory, node.lo, node.hi, within);
    let missed = times.x > times.y;
    let next = select(i + 1u, node.link, missed && node.count == 0u);
    return Visit(node.link, select(node.count, 0u, missed), times, next);
}

// Sets `nearest` to the first hit over all colliders, or to an uncertain one if none is certain. Colliders are
// processed by kind to reduce divergence between threads.
fn first_hit(trajectory: Trajectory) {
    nearest = Hit(emitter.longest_s, NO_COLLIDER, vec2(0.0), vec3(0.0));
    possible = nearest;
    var i = 0u;
    while i < emitter.trees.x {
        let at = visit(i, trajectory, vec2(0.0, nearest.t));
        if at.count > 0u { intersect_plane(at.link, trajectory, at.times); }
        i = at.next;
    }
    while i < emitter.trees.y {
        let at = visit(i, trajectory, vec2(0.0, nearest.t));
        if at.count > 0u { intersect_quadric(at.link, trajectory, at.times); }
        i = at.next;
    }
    while i < emitter.trees.z {
        let at = visit(i, trajectory, vec2(0.0, nearest.t));
        if at.count > 0u { intersect_mesh(at.link, trajectory, at.times); }
        i = at.next;
    }
    if nearest.collider == NO_COLLIDER { nearest = possible; }
}
