import type {Room} from '../core/room.ts';
import {createCodeHelpSlice, type CodeHelpSlice} from './help/ask.ts';

declare module '../core/program.ts' {
	interface State extends CodeHelpSlice {}
}

export const cells: Room = {slices: [createCodeHelpSlice]};
