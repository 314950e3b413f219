/** Shows nothing: follows the prices that alerts wait for, on every market. */
import { useEffect } from 'react';
import { ALERT_SOURCES, type Alert } from '../../model/alerts.ts';
import { useStore } from '../../store/store.ts';
import { instruments } from '../context.ts';
import { instrumentOf } from '../trade/formats.ts';
import { alerts, followAlertPrice } from './alert-store.ts';
import { followPermission } from './browser-notices.ts';

export function AlertWatch() {
  const isListed = useStore(instruments).length > 0;
  const topics = useStore(alerts, topicsOf);
  useEffect(followPermission, []);
  if (!isListed || topics === '') return null;
  return topics.split(' ').map((topic) => <TopicWatch key={topic} topic={topic} />);
}

/** As in "last:A mark:B" of the markets A and B, each once. */
function topicsOf(all: readonly Alert[]): string {
  return [...new Set(all.map(({ source, symbol }) => `${source}:${symbol}`))].sort().join(' ');
}

function TopicWatch({ topic }: { readonly topic: string }) {
  useEffect(() => {
    const [name = '', symbol = ''] = topic.split(':');
    const source = ALERT_SOURCES.find((one) => one === name);
    // A market that is gone has no prices; its alerts stay in the list.
    if (source === undefined || instrumentOf(symbol) === undefined) return undefined;
    return followAlertPrice({ symbol, source });
  }, [topic]);
  return null;
}
