//! The camera and its uniform buffer.

use crate::GpuError;
use crate::advect::StoneRange;
use crate::upload::local_space::LocalSpace;
use bytemuck::{Pod, Zeroable};
use glam::camera::rh::proj::directx::perspective;
use glam::camera::rh::view::look_to_mat4;
use glam::{Vec3, Vec4};

/// A perspective camera. z points up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Its position.
    pub eye_m: [f64; 3],
    /// The point in the centre of the picture.
    pub target_m: [f64; 3],
    /// The vertical field of view in degrees.
    pub field_of_view_deg: f64,
    /// The exposure time, which sets the length of the streaks.
    pub shutter_s: f64,
    /// The radius with which stones are drawn. Stones nearer than 0.3 m are not drawn, and none with a radius
    /// of more than 64 pixels.
    pub stone_m: f64,
    /// The direction to the sun, of any length.
    pub sun: [f64; 3],
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            eye_m: [7.0, -9.0, 3.0],
            target_m: [0.0, 0.0, 1.2],
            field_of_view_deg: 45.0,
            shutter_s: 1.0 / 120.0,
            stone_m: 0.006,
            sun: [0.4, -0.5, 0.75],
        }
    }
}

/// The layout of `View` in `view.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct View {
    screen: [[f32; 4]; 4],
    right: [f32; 4],
    up: [f32; 4],
    ahead: [f32; 4],
    eye: [f32; 4],
    sun: [f32; 4],
    size: [f32; 2],
    shutter: f32,
    radius: f32,
    ground: f32,
    ring_end: u32,
    ring: u32,
    count: u32,
}

impl View {
    pub(super) fn new(
        camera: &Camera,
        local: &LocalSpace,
        [width, height]: [u32; 2],
        stones: StoneRange,
    ) -> Result<Self, GpuError> {
        let bad = |key, value, must| Err(GpuError::Setting { key, value, must });
        let degrees = camera.field_of_view_deg;
        if !(1.0..=170.0).contains(&degrees) {
            return bad("camera.field_of_view_deg", degrees, "from 1 to 170 degrees");
        }
        for (key, value) in
            [("camera.shutter_s", camera.shutter_s), ("camera.stone_m", camera.stone_m)]
        {
            if !(0.0..=1.0).contains(&value) {
                return bad(key, value, "from 0 to 1");
            }
        }
        let (eye, target) =
            (Vec3::from(local.local(camera.eye_m)), Vec3::from(local.local(camera.target_m)));
        let distance = eye.distance(target);
        if !(distance > 1e-6 && distance < 1e7) {
            return bad(
                "the distance from camera.eye_m to camera.target_m",
                f64::from(distance),
                "more than 0 and finite",
            );
        }
        let sun = Vec3::from(camera.sun.map(|x| x as f32));
        let Some(sun) = sun.try_normalize() else {
            return bad("the length of camera.sun", f64::from(sun.length()), "more than 0");
        };
        let ahead = (target - eye) / distance;
        // Looking straight up or down, the top of the picture is +y.
        let up = if ahead.z.abs() > 0.999 { Vec3::Y } else { Vec3::Z };
        let right = ahead.cross(up).normalize();
        let up = right.cross(ahead);
        let half = (degrees.to_radians() as f32 * 0.5).tan();
        let aspect = width as f32 / height as f32;
        let screen =
            perspective(2.0 * half.atan(), aspect, 0.05, 2000.0) * look_to_mat4(eye, ahead, up);
        let four = |v: Vec3| Vec4::from((v, 0.0)).to_array();
        Ok(Self {
            screen: screen.to_cols_array_2d(),
            right: four(right * (half * aspect)),
            up: four(up * half),
            ahead: four(ahead),
            eye: four(eye),
            sun: four(sun),
            size: [width as f32, height as f32],
            shutter: camera.shutter_s as f32,
            radius: camera.stone_m as f32 / half * (0.5 * height as f32),
            ground: -local.origin.z as f32,
            ring_end: stones.ring_end,
            ring: stones.ring,
            count: stones.count,
        })
    }
}
