/** Saves all accounts as a CSV file that an import takes back. */

import { useState } from 'react';
import { admin } from '#client';
import { Button, notifyFailure } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { operator } from '../operator.ts';

async function allPages(): Promise<string> {
  const pages: string[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const page: admin.ExportAccountsAnswer = await operator.call(admin.exportAccounts, { after });
    pages.push(page.csv);
    after = page.next;
  }
  return pages.join('');
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'accounts.csv';
  link.click();
  URL.revokeObjectURL(url);
}

export function ExportButton() {
  const { imports } = useDeskTexts();
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      save(await allPages());
    } catch (error) {
      notifyFailure(imports.export, error);
    }
    setBusy(false);
  };
  return (
    <Button isBusy={isBusy} onClick={() => void run()}>
      {imports.export}
    </Button>
  );
}
