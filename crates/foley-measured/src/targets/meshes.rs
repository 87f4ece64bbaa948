//! Modes of meshes, against theory, measurements and other meshes of the same object.

use crate::Target;
use crate::target::{at_most, exactly, figure};

pub(super) const TARGETS: &[Target] = &[
    // Shells.
    at_most(
        "meshes.shell_free_plate",
        "shell, free square plate: ten frequencies against theory",
        1.0,
        "%",
    ),
    at_most(
        "meshes.shell_nafems_fv12",
        "shell, NAFEMS FV12: six frequencies against its table",
        1.2,
        "%",
    ),
    at_most(
        "meshes.shell_supported_plate",
        "shell, simply supported plate: ten frequencies",
        1.0,
        "%",
    ),
    at_most(
        "meshes.shell_bar",
        "shell, thin bar that bends in both planes and twists: ten frequencies",
        1.0,
        "%",
    ),
    at_most(
        "meshes.shell_bar_ratios",
        "shell, bending of a thin bar against 1, 2.757, 5.404, 8.933, 13.344",
        1.0,
        "%",
    ),
    at_most(
        "meshes.shell_ring_in_plane",
        "shell, ring in its plane (Hoppe): ten frequencies",
        1.0,
        "%",
    ),
    at_most(
        "meshes.shell_ring_out_of_plane",
        "shell, ring out of its plane (Love): ten frequencies",
        1.0,
        "%",
    ),
    at_most("meshes.shell_cylinder", "shell, thin cylinder (Flügge): ten frequencies", 1.0, "%"),
    at_most(
        "meshes.shell_patch_test",
        "shell, relative error of the energy of constant curvature",
        1e-9,
        "",
    ),
    at_most(
        "meshes.wine_glass",
        "wine glass with a wall from 4 to 1 mm, against measured ratios 1, 2.32, 4.25, 6.63, 9.38",
        3.0,
        "%",
    ),
    // Solids.
    at_most(
        "meshes.solid_cube",
        "solid, cube in any position: twelve frequencies against Ritz",
        1.0,
        "%",
    ),
    at_most(
        "meshes.solid_block",
        "solid, block in any position: twelve frequencies against Ritz",
        1.0,
        "%",
    ),
    at_most(
        "meshes.solid_thick_plate",
        "solid, thick plate in any position: ten frequencies against Ritz",
        1.0,
        "%",
    ),
    at_most(
        "meshes.solid_long_block",
        "solid, long block in any position: ten frequencies against Ritz",
        1.0,
        "%",
    ),
    at_most(
        "meshes.solid_rod",
        "solid, slender rod: eleven frequencies against classical theory",
        1.0,
        "%",
    ),
    at_most("meshes.solid_sphere", "solid, sphere: thirty frequencies against Lamb", 1.0, "%"),
    at_most("meshes.solid_rotated", "solid, change of a block turned against the grid", 0.3, "%"),
    at_most(
        "meshes.solid_positions",
        "solid, block in 24 positions: six frequencies against Ritz",
        1.0,
        "%",
    ),
    at_most(
        "meshes.solid_two_bodies",
        "solid, first elastic frequency of two separate bodies",
        1.0,
        "%",
    ),
    at_most(
        "meshes.solid_thin_bowl",
        "solid, eight frequencies of a thin bowl against finer cells",
        1.0,
        "%",
    ),
    at_most(
        "meshes.solid_default_cells",
        "solid, cells of default size against much finer ones",
        1.0,
        "%",
    ),
    at_most(
        "meshes.undercut_bar",
        "undercut marimba bar against measured ratios 1, 3.932, 9.538, 16.688",
        2.0,
        "%",
    ),
    // Other ways to the same modes.
    at_most(
        "meshes.springs",
        "masses and springs against the shell: ten frequencies of six bodies",
        25.0,
        "%",
    ),
    at_most(
        "meshes.walls_as_shells",
        "walls with both sides in the mesh (bell, bowl) against the shell",
        5.0,
        "%",
    ),
    at_most("meshes.walls_as_solids", "the same meshes as solids against the shell", 5.0, "%"),
    at_most("meshes.wall_thickness", "error of the measured thickness of these walls", 1.0, "%"),
    at_most(
        "meshes.builtin_walls",
        "median measured thickness of all built-in walls with two sides",
        2.0,
        "%",
    ),
    at_most("meshes.densities", "the same bell at three mesh densities", 1.0, "%"),
    at_most("meshes.shuffled", "the same bell with shuffled and repeated vertices", 1.0, "%"),
    at_most("meshes.flat_mesh", "flat mesh against Ritz' plate: ten frequencies", 1.0, "%"),
    at_most(
        "meshes.flat_mesh_gains",
        "gains of a flat mesh against Ritz' plate, relative to the gain and a third of the largest",
        3.0,
        "%",
    ),
    at_most(
        "meshes.rescaled_frequencies",
        "relative error of frequencies rescaled without a solve",
        1e-5,
        "",
    ),
    at_most(
        "meshes.rescaled_decays",
        "relative error of decays rescaled without a solve, without radiation",
        1e-4,
        "",
    ),
    at_most("meshes.rescaled_gains", "error of mode shapes rescaled without a solve", 1.0, "%"),
    at_most(
        "meshes.rescaled_radiation",
        "difference of the power radiated by a rescaled and by a solved pair of modes",
        0.5,
        "dB",
    ),
    at_most("meshes.merged_modes", "modes of any object after merging", 999.0, "modes"),
    at_most(
        "meshes.merged_share",
        "modes of a steel bowl after merging, of those before",
        59.0,
        "%",
    ),
    at_most("meshes.merged_mean", "mean change of the bands of a bowl by merging", 0.5, "dB"),
    at_most("meshes.merged_p95", "change by merging that 95 % of the bands stay below", 1.5, "dB"),
    // Threads, cancelling, size.
    exactly("meshes.threads", "models baked on 1, 2 and 8 threads", 0.0, "bytes that differ"),
    at_most(
        "meshes.cancelled",
        "processor time between two calls of the callback, or until a cancelled bake stops, relative to the larger of \
         0.25 s and 5 % of the bake",
        1.0,
        "",
    ),
    at_most(
        "meshes.ten_million_baked",
        "ten million triangles baked or refused, by each of three methods",
        180.0,
        "s",
    ),
    figure("meshes.ten_million_read", "ten million triangles of STL read and repaired", "s"),
];
