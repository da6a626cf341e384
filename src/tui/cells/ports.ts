import {port} from '../core/ports.ts';
import type {ErrorPacket} from './error-packet.ts';

/** Notifies the files of a server that code has run and may have changed them. */
export const codeHasRun = port<[server: string]>('codeHasRun');
/** Asks the assistant to explain an error. */
export const explainError = port<[packet: ErrorPacket]>('explainError');
