import type {Feature} from '../core/feature.ts';
import {codeHelp, type CodeHelpState} from './help/ask.ts';
import {kernelLookup, type KernelNamesState} from './kernels/names.ts';

declare module '../core/program.ts' {
	interface State extends CodeHelpState, KernelNamesState {}
}

export const cells: Feature = {parts: [codeHelp, kernelLookup]};
