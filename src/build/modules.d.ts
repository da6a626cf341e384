/** Source of string-width, wrapped by the build (ink-patches.ts) so that it runs when called. */
declare module 'original:string-width' {
	export const makeOriginal: () => (
		input: string,
		options?: {readonly ambiguousIsNarrow?: boolean; readonly countAnsiEscapeCodes?: boolean},
	) => number;
}
