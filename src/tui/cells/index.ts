import type {Room} from '../core/room.ts';
import {createCodeHelpSlice, type CodeHelpSlice} from './help/ask.ts';
import {createKernelNamesSlice, type KernelNamesSlice} from './kernels/names.ts';

declare module '../core/program.ts' {
	interface State extends CodeHelpSlice, KernelNamesSlice {}
}

export const cells: Room = {slices: [createCodeHelpSlice, createKernelNamesSlice]};
