import {createContext} from 'react';
import {createRegistry} from './dispatch.ts';

export const RegistryContext = createContext(createRegistry());
