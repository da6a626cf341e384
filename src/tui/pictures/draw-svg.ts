// Draws SVG with resvg in WebAssembly. resvg cannot access files or the network, runs no scripts,
// and uses only the font that comes with this program.
import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {scaled, sizeWithin, type Bitmap} from '../../text/output/picture.ts';
import type {Size} from '../../text/pixels/size.ts';
import {withMostMemory} from '../../text/pixels/wasm-memory.ts';

/** Memory limit in pages of 64 KiB: 512 MB. Even a short SVG can need more. */
const MOST_PAGES = 8192;
/**
 * Limit of width and height in pixels: an SVG may claim a size that needs more memory than exists.
 */
const MOST_PIXELS = 4096;
const FONT = 'DejaVuSans.ttf';
const FAMILY = 'DejaVu Sans';
const ALL_FAMILIES = {
	defaultFontFamily: FAMILY,
	serifFamily: FAMILY,
	sansSerifFamily: FAMILY,
	cursiveFamily: FAMILY,
	fantasyFamily: FAMILY,
	monospaceFamily: FAMILY,
};

const fontFile = (): string => {
	const built = join(import.meta.dirname, FONT);
	return existsSync(built) ? built : fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${FONT}`));
};

const load = async () => {
	const {initWasm, Resvg} = await import('@resvg/resvg-wasm');
	const [wasm, font] = await Promise.all([
		readFile(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
		readFile(fontFile()),
	]);
	await initWasm(withMostMemory(wasm, MOST_PAGES));
	return {Resvg, font};
};
let loaded: ReturnType<typeof load> | undefined;

/** Adds a missing namespace, because JupyterLab draws SVG without one too. */
const withNamespace = (svg: string): string =>
	/<svg[^<>]*\sxmlns\s*=/.test(svg) ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');

const reasonOf = (error: unknown): string =>
	error instanceof WebAssembly.RuntimeError || error instanceof RangeError
		? 'drawing the SVG failed or takes more than 512 MB'
		: `the SVG cannot be read: ${String(error)
				.replace(/^Error: /, '')
				.replace(/^SVG data parsing failed cause /, '')}`;

/**
 * Draws an SVG on white, at most as large as `most` and 4096 pixels in each direction. With
 * `isEnlarged`, in exactly the size `most`. `size` in the result is the SVG's own size.
 * @throws {Error} with the reason if the SVG cannot be drawn.
 */
export const drawSvg = async (
	bytes: Uint8Array,
	most: Size,
	isEnlarged = false,
): Promise<{readonly bitmap: Bitmap; readonly size: string}> => {
	const {Resvg, font} = await (loaded ??= load());
	const svg = withNamespace(Buffer.from(bytes).toString());
	const options = {font: {fontBuffers: [font], ...ALL_FAMILIES}, background: 'white'};
	try {
		const own = new Resvg(svg, options);
		const natural = {width: Math.ceil(own.width), height: Math.ceil(own.height)};
		own.free();
		const wanted = isEnlarged
			? most
			: sizeWithin(natural, Math.min(MOST_PIXELS, most.width), Math.min(MOST_PIXELS, most.height));
		// Scaling keeps the proportions, so only the longer side needs a limit.
		const fitTo =
			natural.width > natural.height
				? {mode: 'width' as const, value: wanted.width}
				: {mode: 'height' as const, value: wanted.height};
		const {width, height, pixels} = new Resvg(svg, {...options, fitTo}).render();
		const whole = {width, height, pixels};
		return {
			bitmap:
				width === wanted.width && height === wanted.height
					? whole
					: scaled(whole, wanted.width, wanted.height),
			size: `${natural.width}x${natural.height}`,
		};
	} catch (error) {
		throw new Error(reasonOf(error), {cause: error});
	}
};
