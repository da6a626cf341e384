/** Pixels, or cells. */
export type Size = {readonly width: number; readonly height: number};
