//! Pictures in a render pass of the program show what `render` reads back.

use crate::common;

use common::program::{Program, program};
use common::{drizzle, gpu, simulation};
use foley_gpu::wgpu::{self, TextureFormat as Format, TextureUsages as Usage};
use foley_gpu::{
    Camera, Gpu, GpuError, GpuHail, GpuOptions, Picture, PicturePass, PictureRenderer,
    PictureTarget,
};
use std::sync::Arc;

const SIZE: [u32; 2] = [160, 120];
/// The program's own colour before the picture is drawn: the same bytes in every encoding.
const CLEAR: wgpu::Color = wgpu::Color { r: 1.0, g: 0.0, b: 1.0, a: 1.0 };
const CLEAR_RGBA: [u8; 4] = [255, 0, 255, 255];
/// Its depth, nearer than everything: a depth test would reject the picture.
const CLEAR_DEPTH: f32 = 0.0;

fn hail(gpu: Arc<Gpu>) -> GpuHail {
    let options = GpuOptions::default().with_from_s(6.0);
    let mut hail = GpuHail::new(gpu, simulation(drizzle()), options).unwrap();
    hail.advance(6.1, &mut Vec::new()).unwrap();
    hail
}

/// The program's own attachments.
struct Canvas {
    target: PictureTarget,
    colour: wgpu::Texture,
    samples: Option<wgpu::Texture>,
    depth: Option<wgpu::Texture>,
}

impl Canvas {
    fn new(program: &Program, target: PictureTarget, [width, height]: [u32; 2]) -> Self {
        let texture = |format, sample_count| {
            let copied = if sample_count == 1 { Usage::COPY_SRC } else { Usage::empty() };
            program.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: Usage::RENDER_ATTACHMENT | copied,
                view_formats: &[],
            })
        };
        Self {
            target,
            colour: texture(target.colour, 1),
            samples: (target.samples > 1).then(|| texture(target.colour, target.samples)),
            depth: target.depth.map(|format| texture(format, target.samples)),
        }
    }

    /// Records a pass that clears the attachments and calls `draw`.
    fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        draw: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let colour = view(&self.colour);
        let samples = self.samples.as_ref().map(view);
        let depth = self.depth.as_ref().map(view);
        let store = wgpu::StoreOp::Store;
        let ops = wgpu::Operations { load: wgpu::LoadOp::Clear(CLEAR), store };
        let depth_ops = wgpu::Operations { load: wgpu::LoadOp::Clear(CLEAR_DEPTH), store };
        let stencil_ops = wgpu::Operations { load: wgpu::LoadOp::Clear(0), store };
        let format = self.target.depth.unwrap_or(Format::Depth32Float);
        draw(&mut encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: samples.as_ref().unwrap_or(&colour),
                depth_slice: None,
                resolve_target: samples.is_some().then_some(&colour),
                ops,
            })],
            depth_stencil_attachment: depth.as_ref().map(|view| {
                wgpu::RenderPassDepthStencilAttachment {
                    view,
                    depth_ops: format.has_depth_aspect().then_some(depth_ops),
                    stencil_ops: format.has_stencil_aspect().then_some(stencil_ops),
                }
            }),
            ..Default::default()
        }));
    }

    /// Reads back the colours as RGBA bytes in sRGB.
    fn picture(&self, program: &Program) -> Picture {
        let (width, height) = (self.colour.width(), self.colour.height());
        let mut rgba = read(program, &self.colour);
        match self.target.colour {
            Format::Bgra8Unorm | Format::Bgra8UnormSrgb => {
                rgba.chunks_mut(4).for_each(|pixel| pixel.swap(0, 2));
            }
            Format::Rgba32Float => {
                let light = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
                rgba = rgba.chunks(4).map(|x| level(light(x).into()).round() as u8).collect();
            }
            _ => (),
        }
        Picture { width, height, rgba }
    }
}

/// Reads back a texture, row by row.
fn read(program: &Program, texture: &wgpu::Texture) -> Vec<u8> {
    let row = texture.width() * texture.format().block_copy_size(None).unwrap();
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = program.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(padded) * u64::from(texture.height()),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = program.device.create_command_encoder(&Default::default());
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(padded),
        rows_per_image: None,
    };
    let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), to, texture.size());
    program.queue.submit([encoder.finish()]);
    buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
    program.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    let bytes = buffer.get_mapped_range(..).unwrap();
    bytes.chunks(padded as usize).flat_map(|line| &line[..row as usize]).copied().collect()
}

/// Prepares the picture and draws it into a pass of the program, which are one submission.
fn drawn(
    program: &Program,
    hail: &GpuHail,
    renderer: &mut PictureRenderer,
    canvas: &Canvas,
    viewport: Option<[f32; 4]>,
) -> Picture {
    let picture = PicturePass::new(renderer, canvas.target).unwrap();
    let mut encoder = program.device.create_command_encoder(&Default::default());
    renderer.prepare(hail, &Camera::default(), &mut encoder).unwrap();
    canvas.pass(&mut encoder, |pass| {
        if let Some([x, y, width, height]) = viewport {
            pass.set_viewport(x, y, width, height, 0.0, 1.0);
        }
        picture.draw(pass);
    });
    program.queue.submit([encoder.finish()]);
    canvas.picture(program)
}

fn worst(one: &Picture, two: &Picture) -> u8 {
    assert_eq!([one.width, one.height], [two.width, two.height]);
    one.rgba.iter().zip(&two.rgba).map(|(one, two)| one.abs_diff(*two)).max().unwrap()
}

/// The sRGB transfer function and its inverse.
fn level(x: f64) -> f64 {
    255.0 * if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

fn linear(byte: u8) -> f64 {
    let x = f64::from(byte) / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// Scales a picture bilinearly in linear light.
fn scaled(from: &Picture, [width, height]: [u32; 2]) -> Picture {
    let texel = |x: i64, y: i64, channel: usize| {
        let x = x.clamp(0, i64::from(from.width) - 1) as usize;
        let y = y.clamp(0, i64::from(from.height) - 1) as usize;
        linear(from.rgba[4 * (y * from.width as usize + x) + channel])
    };
    let along = |i: u32, to: u32, from: u32| {
        let at = (f64::from(i) + 0.5) / f64::from(to) * f64::from(from) - 0.5;
        (at.floor() as i64, at - at.floor())
    };
    let mut rgba = Vec::new();
    for j in 0..height {
        let (y, v) = along(j, height, from.height);
        for i in 0..width {
            let (x, u) = along(i, width, from.width);
            for channel in 0..3 {
                let row = |y| texel(x, y, channel) * (1.0 - u) + texel(x + 1, y, channel) * u;
                rgba.push(level(row(y) * (1.0 - v) + row(y + 1) * v).round() as u8);
            }
            rgba.push(255);
        }
    }
    Picture { width, height, rgba }
}

#[test]
fn a_pass_of_the_same_size_shows_the_same_pixels() {
    let Some(program) = program("picture pass", Gpu::required_limits()) else { return };
    let hail = hail(program.gpu());
    let mut renderer = PictureRenderer::new(&hail, SIZE).unwrap();
    let expected = renderer.render(&hail, &Camera::default()).unwrap();
    let srgb = PictureTarget::new(Format::Rgba8UnormSrgb);
    let mut targets = vec![
        PictureTarget::new(Format::Rgba32Float),
        srgb.with_depth(Format::Depth24PlusStencil8),
        srgb.with_depth(Format::Stencil8),
    ];
    for colour in
        [Format::Rgba8UnormSrgb, Format::Bgra8UnormSrgb, Format::Rgba8Unorm, Format::Bgra8Unorm]
    {
        let target = PictureTarget::new(colour);
        for target in [target, target.with_depth(Format::Depth32Float)] {
            targets.extend([target, target.with_samples(4)]);
        }
    }
    for target in targets {
        let canvas = Canvas::new(&program, target, SIZE);
        let found = drawn(&program, &hail, &mut renderer, &canvas, None);
        let off = worst(&found, &expected);
        println!("{target}: off by {off}");
        let most = u8::from(!target.colour.is_srgb() || target.samples > 1);
        assert!(off <= most, "{target}: {off}");
        if target.depth == Some(Format::Depth32Float) && target.samples == 1 {
            let depths = read(&program, canvas.depth.as_ref().unwrap());
            assert!(depths.chunks(4).all(|bytes| bytes == CLEAR_DEPTH.to_le_bytes()));
        }
    }
    // The texture itself, for programs that sample it.
    assert_eq!(renderer.texture().format(), Format::Rgba8UnormSrgb);
    assert!(renderer.texture().usage().contains(Usage::TEXTURE_BINDING));
    assert_eq!(renderer.texture_view().texture(), renderer.texture());
    assert!(read(&program, renderer.texture()) == expected.rgba);
    assert_eq!(program.errors(), [""; 0]);
}

#[test]
fn a_pass_of_another_size_shows_the_picture_scaled_in_linear_light() {
    let Some(program) = program("scaled picture", Gpu::required_limits()) else { return };
    let hail = hail(program.gpu());
    let mut renderer = PictureRenderer::new(&hail, SIZE).unwrap();
    let expected = renderer.render(&hail, &Camera::default()).unwrap();
    for size in [[320, 240], [100, 75], [37, 201]] {
        for colour in [Format::Rgba8UnormSrgb, Format::Bgra8Unorm] {
            let canvas = Canvas::new(&program, PictureTarget::new(colour), size);
            let found = drawn(&program, &hail, &mut renderer, &canvas, None);
            let off = worst(&found, &scaled(&expected, size));
            println!("{colour:?}, {size:?}: off by {off}");
            assert!(off <= 2, "{colour:?}, {size:?}: {off}");
        }
    }
    assert_eq!(program.errors(), [""; 0]);
}

#[test]
fn a_viewport_limits_the_picture() {
    let Some(program) = program("viewport", Gpu::required_limits()) else { return };
    let hail = hail(program.gpu());
    let mut renderer = PictureRenderer::new(&hail, SIZE).unwrap();
    let expected = renderer.render(&hail, &Camera::default()).unwrap();
    let (size, [left, top]) = ([211, 170], [20, 31]);
    let viewport = [left, top, SIZE[0], SIZE[1]].map(|n| n as f32);
    for samples in [1, 4] {
        let target = PictureTarget::new(Format::Rgba8UnormSrgb).with_samples(samples);
        let canvas = Canvas::new(&program, target, size);
        let found = drawn(&program, &hail, &mut renderer, &canvas, Some(viewport));
        for (i, pixel) in (0_u32..).zip(found.rgba.chunks(4)) {
            let [x, y] = [(i % size[0]).wrapping_sub(left), (i / size[0]).wrapping_sub(top)];
            if x < SIZE[0] && y < SIZE[1] {
                let expected = &expected.rgba[4 * (y * SIZE[0] + x) as usize..][..4];
                let off = pixel.iter().zip(expected).map(|(one, two)| one.abs_diff(*two)).max();
                assert!(off <= Some(u8::from(samples > 1)), "{x}, {y}: {pixel:?}, {expected:?}");
            } else {
                assert_eq!(pixel, CLEAR_RGBA, "{x}, {y}");
            }
        }
    }
    assert_eq!(program.errors(), [""; 0]);
}

#[test]
fn one_encoder_contains_pictures_of_several_cameras() {
    let Some(program) = program("two cameras", Gpu::required_limits()) else { return };
    let hail = hail(program.gpu());
    let mut renderer = PictureRenderer::new(&hail, SIZE).unwrap();
    let cameras = [[7.0, -9.0, 3.0], [-4.0, -6.0, 5.0]].map(|eye_m| Camera {
        eye_m,
        stone_m: 0.02,
        ..Camera::default()
    });
    let expected = cameras.map(|camera| renderer.render(&hail, &camera).unwrap());
    assert!(worst(&expected[0], &expected[1]) > 50);

    let target = PictureTarget::new(Format::Rgba8UnormSrgb);
    let picture = PicturePass::new(&renderer, target).unwrap();
    let canvases = cameras.map(|_| Canvas::new(&program, target, SIZE));
    let mut encoder = program.device.create_command_encoder(&Default::default());
    for (camera, canvas) in cameras.iter().zip(&canvases) {
        renderer.prepare(&hail, camera, &mut encoder).unwrap();
        canvas.pass(&mut encoder, |pass| picture.draw(pass));
    }
    program.queue.submit([encoder.finish()]);
    for (canvas, expected) in canvases.iter().zip(&expected) {
        assert!(canvas.picture(&program) == *expected);
    }
    assert_eq!(program.errors(), [""; 0]);
}

#[test]
fn targets_that_cannot_show_a_picture_are_refused() {
    let Some(program) = program("wrong targets", Gpu::required_limits()) else { return };
    let hail = hail(program.gpu());
    let renderer = PictureRenderer::new(&hail, SIZE).unwrap();
    let srgb = PictureTarget::new(Format::Rgba8UnormSrgb);
    for (target, why) in [
        (PictureTarget::new(Format::Depth32Float), "no colours"),
        (PictureTarget::new(Format::Rgba32Uint), "integers"),
        (PictureTarget::new(Format::Rg8Unorm), "less than three colours"),
        (PictureTarget::new(Format::Bc7RgbaUnormSrgb), "TEXTURE_COMPRESSION_BC"),
        (PictureTarget::new(Format::Rgba16Unorm), "TEXTURE_FORMAT_16BIT_NORM"),
        (srgb.with_samples(0), "0"),
        (srgb.with_samples(3), "3"),
        (srgb.with_samples(64), "64"),
        (srgb.with_depth(Format::Rgba8Unorm), "Rgba8Unorm"),
    ] {
        let error = PicturePass::new(&renderer, target).unwrap_err();
        assert!(matches!(error, GpuError::Target { .. }) && !error.cpu_can_continue());
        let message = error.to_string();
        println!("{message}\n");
        assert!(message.contains(&target.to_string()), "{message}");
        let reason = message.split_once(": ").unwrap().1;
        assert!(reason.contains(why), "{message}");
    }
    PicturePass::new(&renderer, srgb).unwrap();
    assert_eq!(program.errors(), [""; 0]);
}

#[test]
fn a_wrong_camera_simulation_or_device_leaves_the_encoder_valid() {
    let Some(program) = program("prepare", Gpu::required_limits()) else { return };
    let (one, two) = (hail(program.gpu()), hail(program.gpu()));
    let mut renderer = PictureRenderer::new(&one, SIZE).unwrap();
    let mut encoder = program.device.create_command_encoder(&Default::default());
    let usual = Camera::default();
    let blind = Camera { target_m: usual.eye_m, ..usual };
    let error = renderer.prepare(&one, &blind, &mut encoder).unwrap_err();
    assert!(matches!(error, GpuError::Setting { .. }), "{error}");
    let error = renderer.prepare(&two, &usual, &mut encoder).unwrap_err();
    assert!(matches!(error, GpuError::OtherSimulation), "{error}");
    let elsewhere = hail(gpu("another device").unwrap());
    let error = renderer.prepare(&elsewhere, &usual, &mut encoder).unwrap_err();
    assert!(matches!(error, GpuError::OtherSimulation), "{error}");
    renderer.prepare(&one, &usual, &mut encoder).unwrap();
    program.queue.submit([encoder.finish()]);
    assert_eq!(program.errors(), [""; 0]);

    // A device that is lost unnoticed.
    let mut encoder = program.device.create_command_encoder(&Default::default());
    program.device.destroy();
    let error = renderer.prepare(&one, &usual, &mut encoder).unwrap_err();
    assert!(matches!(error, GpuError::Lost { .. }), "{error}");
    assert_eq!(program.errors(), [""; 0]);
}
