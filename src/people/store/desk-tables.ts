/** The tables that the desk added to those of people. Lists of ids are text, with commas. */

export interface DeskTables {
  readonly announcements: {
    announcement_id: string;
    level: string;
    title_en: string;
    title_zh: string;
    text_en: string;
    text_zh: string;
    created_ms: number;
    from_ms: number;
    until_ms: number;
  };
  readonly maintenance_windows: {
    window_id: string;
    state: string;
    instruments: string;
    halted: string;
    text_en: string;
    text_zh: string;
    created_ms: number;
    from_ms: number;
    until_ms: number;
  };
  readonly account_imports: {
    reference: string;
    digest: string;
    content: string;
    state: string;
    fault: string;
    lines_count: number;
    done_count: number;
    created_ms: number;
    updated_ms: number;
  };
  readonly fee_levels: {
    account_id: number;
    level: number;
    volume: string;
    counted_ms: number;
    applied_taker_ppm: number;
    applied_maker_ppm: number;
    wanted_taker_ppm: number;
    wanted_maker_ppm: number;
  };
}
