/** Texts in Chinese: API keys, on the account page and on the desk. */
import type { KeyTexts } from './en-keys.ts';

export const keys: KeyTexts = {
  title: 'API Key',
  noManage: '需要管理权限才能查看此账户的 API Key。',
  expires: '到期时间',
  never: '永久有效',
  expiresDays: '有效天数',
  expiresMeans: '留空表示永久有效',
  kind: '密钥类型',
  kinds: { hmac: 'HMAC（Secret Key）', ed25519: 'Ed25519（公钥）' },
  publicKey: '公钥',
  publicKeyMeans: 'PEM 或 Base64，例如由 openssl pkey -in key.pem -pubout 生成',
  publicKeyNote: '请用您的私钥签名请求，它不会离开您的设备。',
  empty: '暂无 API Key',
  more: 'API Key 的权限不会超过您在此账户中的权限。',
};
