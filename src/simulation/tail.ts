/** Sizes as people choose them: most are small, a few are many times the mean. */

/** Bounds the largest at about nine times the mean. */
const SOFTENING = 0.05;
/** Of (1 - u) / (u + softening) over all u, which has a logarithm that is not worked out here. */
const MEAN = 2.196749;

/** A factor with a mean of one, from a number of 0 up to 1: the smaller that is, the larger. */
export function heavyTailed(unit: number): number {
  return (1 - unit) / (unit + SOFTENING) / MEAN;
}
