import type {ErrorPacket} from '../cells/error-packet.ts';
import {port} from '../core/ports.ts';
import type {Turn} from './export-formats.ts';

/** Asks the assistant to explain an error. */
export const explainError = port<[packet: ErrorPacket]>('explainError');
/** Questions to a server's assistant, with their answers. */
export const turnsOf = port<[server: string], readonly Turn[]>('turnsOf');
