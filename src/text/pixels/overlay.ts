import type {Size} from './size.ts';

/**
 * Command of kitty's graphics protocol with its payload, in chunks of the size that the protocol
 * requires.
 */
export const kittyCommand = (keys: string, base64: string): string => {
	const pieces = base64.match(/.{1,4096}/gs) ?? [''];
	return pieces
		.map((piece, index) => {
			const more = `m=${index === pieces.length - 1 ? 0 : 1}`;
			return `\u001B_G${index === 0 ? `${keys},${more}` : more};${piece}\u001B\\`;
		})
		.join('');
};

/** Id of this program's image, so that images of other programs are not deleted. */
export const OVERLAY_ID = 0x53_00_00_ff;

export const kittyOverlay = (base64: string, {width, height}: Size): string =>
	kittyCommand(`a=T,q=2,C=1,f=100,i=${OVERLAY_ID},c=${width},r=${height}`, base64);

export const DELETE_OVERLAY = `\u001B_Ga=d,d=I,q=2,i=${OVERLAY_ID}\u001B\\`;

/** @see https://iterm2.com/documentation-images.html */
export const inlineImage = (base64: string, {width, height}: Size): string =>
	`\u001B]1337;File=inline=1;size=${Math.floor((base64.length * 3) / 4)};width=${width};height=${height};preserveAspectRatio=1;doNotMoveCursor=1:${base64}\u0007`;
