/**
 * What systems, libcamera and libgpiod say where another program holds a device (EBUSY).
 * Source: libcamera's `Camera::acquire`, rpicam-apps' `OpenCamera`, the texts of errno.
 */
const HELD = /in use by another process|failed to acquire camera|resource busy|\bEBUSY\b/i;

/** Whether a text of a failure says that another program holds the device. */
export const saysHeld = (text: string): boolean => HELD.test(text);
