//! Physical constants, each once, in SI units.

/// Density ρ₀ of dry air at 20 °C and 101.325 kPa, kg/m³: p/(R T) with R = 287.05 J/(kg K).
pub const AIR_DENSITY_KG_M3: f64 = 1.204;

/// Speed of sound c₀ in dry air at 20 °C, m/s (ISO 9613-1).
pub const SOUND_SPEED_M_S: f64 = 343.2;

/// Kinematic viscosity ν₀ of air at 20 °C and 101.325 kPa, m²/s: 1.813e-5 Pa·s over the density (CRC
/// Handbook of Chemistry and Physics).
pub const AIR_KINEMATIC_VISCOSITY_M2_S: f64 = 1.506e-5;

/// Characteristic impedance ρ₀c₀ of air at 20 °C, Pa·s/m.
pub const AIR_IMPEDANCE_PA_S_M: f64 = AIR_DENSITY_KG_M3 * SOUND_SPEED_M_S;

/// Acceleration of gravity, m/s²: the standard 9.80665, rounded.
pub const GRAVITY_M_S2: f64 = 9.81;

/// Density of ice at 0 °C, kg/m³ (Petrenko & Whitworth 1999).
pub const ICE_DENSITY_KG_M3: f64 = 917.0;

/// Density in kg/m³, Young's modulus in Pa and Poisson's ratio of polycrystalline ice; the latter
/// two at −16 °C (Petrenko & Whitworth 1999; Schulson & Duval 2009).
pub const ICE: [f64; 3] = [ICE_DENSITY_KG_M3, 9.33e9, 0.325];

/// The same of steel: material table of KleinPAT (Wang & James 2019).
pub const STEEL: [f64; 3] = [7850.0, 2.0e11, 0.29];

/// The same of glass: material table of KleinPAT (Wang & James 2019).
pub const GLASS: [f64; 3] = [2600.0, 6.2e10, 0.20];

/// The same of granite: middle of the ranges in rock-mechanics handbooks (Jaeger, Cook & Zimmerman).
pub const STONE: [f64; 3] = [2650.0, 5.0e10, 0.25];
