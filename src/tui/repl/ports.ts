import {port} from '../core/ports.ts';
import type {Turn} from './export-formats.ts';

/** Questions to a server's assistant, with their answers. */
export const turnsOf = port<[server: string], readonly Turn[]>('turnsOf');
