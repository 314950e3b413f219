/** The dialog of the trader's settings: confirmation, keyboard trading and its keys. */
import { useState } from 'react';
import { Button, Check, Dialog } from '../../look/mod.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { TRADING_KEYS } from './keys.ts';
import { asksFirst, tradesByKey } from './preferences.ts';

export function OrderSettingsButton() {
  const { trade } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        tone="quiet"
        aria-label={trade.orderSettings}
        title={trade.orderSettings}
        onClick={() => setOpen(true)}
      >
        ⚙
      </Button>
      {isOpen ? <OrderSettingsDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

export function OrderSettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { trade } = useTexts();
  const asks = useStore(asksFirst) === 'yes';
  const isByKey = useStore(tradesByKey) === 'yes';
  return (
    <Dialog title={trade.orderSettings} onClose={onClose}>
      <div className="stack">
        <Check
          label={trade.askBeforeOrders}
          value={asks}
          onValue={(value) => asksFirst.set(value ? 'yes' : 'no')}
        />
        <Check
          label={trade.tradeByKey}
          value={isByKey}
          onValue={(value) => tradesByKey.set(value ? 'yes' : 'no')}
        />
        <p className="remark">{trade.tradeByKeyMeaning}</p>
        <table className="table key-table">
          <caption className="only-read-out">{trade.tradeByKey}</caption>
          <tbody>
            {TRADING_KEYS.map(({ key, does }) => (
              <tr key={key}>
                <th scope="row">
                  <kbd>{key}</kbd>
                </th>
                <td>{trade.keyDoes[does]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
