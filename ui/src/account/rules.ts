/** How people come in here, as the venue says. */
import { people } from '#client';
import { person } from '../session/person.ts';
import { useReading } from '../store/use-reading.ts';

/** Where a link is found that was asked for. */
export type LinkWay = people.AskResetAnswer['next'];

export function useRules(): people.RulesAnswer | undefined {
  return useReading(() => person.call(people.rules, {}), 'rules').data;
}
