import {fileURLToPath} from 'node:url';

/** Command and first arguments that run the service, as the built program would. */
export const serveProgram = [
	process.execPath,
	fileURLToPath(new URL('./serve-main.ts', import.meta.url)),
] as const;
