/** The choices above a chart: its style, its indicators, and what else stands on it. */
import { useState } from 'react';
import { Button, Check, Dialog, Select } from '../../look/mod.ts';
import { CHART_STYLES } from '../../model/chart-style.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { chartStyle, hiddenOverlays, OVERLAYS, type Overlay } from './chart-settings.ts';
import { IndicatorDialog } from './indicator-dialog.tsx';

interface ChartButtonsProps {
  readonly instrument: Instrument;
}

export function ChartButtons({ instrument }: ChartButtonsProps) {
  const { chart } = useTexts();
  const style = useStore(chartStyle);
  const [open, setOpen] = useState<'indicators' | 'overlays' | undefined>();
  const shut = (): void => setOpen(undefined);
  return (
    <div className="chart-buttons">
      <Select
        label={chart.style}
        isLabelHidden
        value={style}
        choices={CHART_STYLES.map((choice) => [choice, chart.styles[choice]] as const)}
        onValue={chartStyle.set}
      />
      <Button tone="quiet" aria-haspopup="dialog" onClick={() => setOpen('indicators')}>
        {chart.indicators}
      </Button>
      <Button tone="quiet" aria-haspopup="dialog" onClick={() => setOpen('overlays')}>
        {chart.overlays}
      </Button>
      {open === 'indicators' ? <IndicatorDialog instrument={instrument} onClose={shut} /> : null}
      {open === 'overlays' ? <OverlayDialog instrument={instrument} onClose={shut} /> : null}
    </div>
  );
}

/** What only contracts have. */
const CONTRACTS_ONLY: ReadonlySet<Overlay> = new Set(['positions', 'mark', 'index']);

interface OverlayDialogProps extends ChartButtonsProps {
  readonly onClose: () => void;
}

function OverlayDialog({ instrument, onClose }: OverlayDialogProps) {
  const { chart } = useTexts();
  const hidden = useStore(hiddenOverlays);
  const offered = OVERLAYS.filter(
    (name) => instrument.kind === 'contract' || !CONTRACTS_ONLY.has(name),
  );
  const show = (name: Overlay, isShown: boolean): void => {
    const others = hidden.filter((each) => each !== name);
    hiddenOverlays.set(isShown ? others : [...others, name]);
  };
  return (
    <Dialog title={chart.overlaysTitle} onClose={onClose}>
      <div className="stack">
        {offered.map((name) => (
          <Check
            key={name}
            label={chart.overlayNames[name]}
            value={!hidden.includes(name)}
            onValue={(isShown) => show(name, isShown)}
          />
        ))}
      </div>
    </Dialog>
  );
}
