/**
 * Names that look alike, as the skeletons of Unicode's security mechanisms (UTS 39) tell them: of
 * letters and digits that pass for Latin ones, whatever their script. Names that differ in capitals
 * alone look alike, too. Not for texts: no skeleton is shown to anybody.
 */

/** Of Unicode's confusables: what passes for these letters, compatible forms aside. */
const PASSING_FOR: Readonly<Record<string, string>> = {
  A: 'ΑАᎪᗅꓮ𐊠𖽀',
  AA: 'Ꜳ',
  AE: 'ÆӔ',
  AO: 'Ꜵ',
  AU: 'Ꜷ',
  AV: 'ꜸꜺ',
  AY: 'Ꜽ',
  B: 'ΒВᏴᗷꓐꞴ𐊂𐊡𐌁',
  C: 'СᏟⲤꓚ𐊢𐌂𐐕𐔜𑣩𑣲',
  D: 'Ꭰᗞᗪꓓ',
  E: 'ΕЕᎬⴹꓰ𐊆𑢦𑢮',
  F: 'ϜᖴꓝꞘ𐊇𐊥𐔥𑢢𑣂',
  G: 'ԌᏀᏳꓖ',
  H: 'ΗНᎻᕼⲎꓧ𐋏',
  J: 'ͿЈᎫᒍꓙꞲ',
  K: 'ΚКᏦᛕⲔꓗ𐔘',
  L: 'ᏞᒪⳐꓡ𐐛𐔦𑢣𑢲𖼖',
  M: 'ΜϺМᎷᗰᛖⲘꓟ𐊰𐌑',
  N: 'ΝⲚꓠ𐔓',
  O: '0ΟОՕ০ଠ୦ዐⲞⵔ〇ꓳ𐊒𐊫𐐄𐓂𐔖𑓐𑢵𑣠',
  OE: 'Œ',
  OO: 'ꚘꝎ',
  P: 'ΡРᏢᑭⲢꓑ𐊕',
  Q: 'ⵕ',
  R: 'ƦᎡᏒᖇꓣ𐒴𖼵',
  S: 'ЅՏᏕᏚꓢ𐊖𐐠𖼺',
  T: 'ΤТᎢⲦꓔ𐊗𐊱𐌕𑢼𖼊',
  U: 'Սሀᑌꓴ𐓎𑢸𖽂',
  V: 'ѴᏙᐯⴸꓦꛟ𐔝𑢠𖼈',
  W: 'ԜᎳᏔꓪ𑣦𑣯',
  X: 'ΧХᚷⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬',
  Y: 'ΥУҮᎩᎽⲨꓬ𐊲𑢤𖽃',
  Z: 'ΖᏃꓜ𐋵𑢩𑣥',
  a: 'ɑαа',
  aa: 'ꜳ',
  ae: 'æӕ',
  ao: 'ꜵ',
  au: 'ꜷ',
  av: 'ꜹꜻ',
  ay: 'ꜽ',
  b: 'ƄЬᏏᑲᖯ',
  bl: 'Ы',
  c: 'сᴄⲥꮯ𐐽',
  d: 'ԁᏧᑯꓒ',
  dz: 'ʣ',
  e: 'еҽꬲ',
  f: 'քẝꞙꬵ',
  g: 'ƍɡցᶃ',
  h: 'һհᏂ',
  i: 'ıɩɪιіӏᎥꙇꭵ𑣃',
  j: 'ϳј',
  l: '1IƖǀΙІӀᛁⲒⵏꓲ𐊊𐌉𐌠𖼨',
  lO: 'Ю',
  ll: 'ǁ',
  ls: 'ʪ',
  lz: 'ʫ',
  n: 'ոռ',
  o: 'οσоօ०੦૦௦౦೦ഠ൦๐໐ဝ၀ჿᴏᴑⲟꬽ𐐬𐓪𑣈𑣗',
  oe: 'œ',
  oo: 'ꚙꝏ',
  p: 'ρрⲣ',
  q: 'ԛգզ',
  r: 'гᴦⲅꭇꭈꮁ',
  rn: 'm𑜀𑣣',
  s: 'ƽѕꜱꮪ𐑈𑣁',
  tf: 'ꝷ',
  ts: 'ʦ',
  u: 'ʋυսᴜꞟꭎꭒ𐓶𑣘',
  ue: 'ᵫ',
  uo: 'ꭣ',
  v: 'νѵᴠꮩ𑜆𑣀',
  w: 'ɯѡԝաᴡꮃ𑜊𑜎𑜏',
  x: 'хᕁᕽ',
  y: 'ɣʏγуүყᶌỿꭚ𑣜',
  z: 'ᴢꮓ𑣄',
};

const LOOKS: ReadonlyMap<string, string> = new Map(
  Object.entries(PASSING_FOR).flatMap(([letters, others]) =>
    [...others].map((one) => [one, letters] as const),
  ),
);

function skeletonOf(name: string): string {
  return [...name.normalize('NFKD')].map((letter) => LOOKS.get(letter) ?? letter).join('');
}

/**
 * What names that look alike have in common. Capitals are taken for small letters, and i for l:
 * between them a capital I stands for either.
 */
export function lookOf(name: string): string {
  return skeletonOf(skeletonOf(name).toLowerCase()).replaceAll('i', 'l');
}

/** The first of these names that looks like one before it, or is it. */
export function firstLookAlike(names: Iterable<string>): string | undefined {
  const looks = new Set<string>();
  for (const name of names) {
    const look = lookOf(name);
    if (looks.has(look)) return name;
    looks.add(look);
  }
  return undefined;
}
