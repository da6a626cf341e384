/** Made by the build (ink-patches.ts): string-width's own source, wrapped so that it runs when called. */
declare module 'original:string-width' {
	export const makeOriginal: () => (
		input: string,
		options?: {readonly ambiguousIsNarrow?: boolean; readonly countAnsiEscapeCodes?: boolean},
	) => number;
}
