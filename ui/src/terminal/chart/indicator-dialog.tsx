/** Indicators of the charts: which are shown, with their settings, and which can be added. */
import { useState } from 'react';
import { Button, Dialog, Field } from '../../look/mod.ts';
import {
  definitionOf,
  INDICATORS,
  INDICATORS_MAX,
  type IndicatorChoice,
  isAllowed,
  newIndicator,
  type Setting,
  settingOf,
} from '../../model/indicators.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { indicators, newId } from './chart-settings.ts';

interface IndicatorDialogProps {
  readonly instrument: Instrument;
  readonly onClose: () => void;
}

export function IndicatorDialog({ instrument, onClose }: IndicatorDialogProps) {
  const { chart } = useTexts();
  const chosen = useStore(indicators);
  const offered = INDICATORS.filter(
    ({ isContractsOnly }) => instrument.kind === 'contract' || isContractsOnly !== true,
  );
  const isFull = chosen.length >= INDICATORS_MAX;
  return (
    <Dialog title={chart.indicators} onClose={onClose}>
      <div className="stack indicator-dialog">
        <section className="stack" aria-label={chart.indicatorsShown}>
          <h3 className="field-label">{chart.indicatorsShown}</h3>
          {chosen.length === 0 ? <p className="remark">{chart.noIndicators}</p> : null}
          {chosen.map((choice) => (
            <ChosenIndicator key={choice.id} choice={choice} />
          ))}
        </section>
        <section aria-label={chart.indicatorsOffered}>
          <h3 className="field-label">{chart.indicatorsOffered}</h3>
          <div className="indicator-offers">
            {offered.map(({ kind }) => (
              <Button
                key={kind}
                disabled={isFull}
                onClick={() => indicators.set((now) => [...now, newIndicator(kind, newId())])}
              >
                {chart.indicatorNames[kind]}
              </Button>
            ))}
          </div>
          {isFull ? <p className="remark">{chart.indicatorsFull(INDICATORS_MAX)}</p> : null}
        </section>
      </div>
    </Dialog>
  );
}

function ChosenIndicator({ choice }: { readonly choice: IndicatorChoice }) {
  const { chart } = useTexts();
  const name = chart.indicatorNames[choice.kind];
  const { settings } = definitionOf(choice.kind);
  return (
    <fieldset className="indicator-chosen">
      <legend className="only-read-out">{name}</legend>
      <span className="indicator-name">{name}</span>
      {settings.map((setting) => (
        <SettingField key={setting.name} {...{ choice, setting }} />
      ))}
      <Button
        tone="quiet"
        aria-label={chart.removeNamed(name)}
        onClick={() => indicators.set((now) => now.filter(({ id }) => id !== choice.id))}
      >
        ✕
      </Button>
    </fieldset>
  );
}

interface SettingFieldProps {
  readonly choice: IndicatorChoice;
  readonly setting: Setting;
}

/** Takes effect as it is typed, once it may be a value. */
function SettingField({ choice, setting }: SettingFieldProps) {
  const { chart } = useTexts();
  const { name, min, max } = setting;
  const [typed, setTyped] = useState(String(settingOf(choice, name)));
  const isFine = isAllowed(setting, Number(typed));
  const put = (text: string): void => {
    setTyped(text);
    const value = Number(text);
    if (text.trim() === '' || !isAllowed(setting, value)) return;
    const settings = { ...choice.settings, [name]: value };
    indicators.set((now) =>
      now.map((each) => (each.id === choice.id ? { ...each, settings } : each)),
    );
  };
  return (
    <Field
      label={chart.settingNames[name]}
      value={typed}
      isNumber
      fault={isFine ? undefined : chart.settingRange(String(min), String(max))}
      onValue={put}
    />
  );
}
