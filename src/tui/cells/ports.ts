import {port} from '../core/ports.ts';
import type {ErrorPacket} from './error-packet.ts';

/** Notifies the files feature that code has run on a server and may have changed files. */
export const codeHasRun = port<[server: string]>('codeHasRun');
/** Asks the assistant to explain an error. */
export const explainError = port<[packet: ErrorPacket]>('explainError');
