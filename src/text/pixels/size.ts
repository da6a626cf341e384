/** Size in pixels or in cells. */
export type Size = {readonly width: number; readonly height: number};
