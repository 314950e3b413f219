/** Texts in Chinese: a person's address, mails and data on the account page. */
import type { PersonalTexts } from './en-personal.ts';

export const personal: PersonalTexts = {
  address: {
    title: '邮箱',
    current: '当前邮箱',
    newEmail: '新邮箱',
    means: '我们会向新邮箱发送链接，打开链接后更改才会生效。',
    submit: '更改邮箱',
    next: {
      mail: '请打开新邮箱中收到的链接。',
      terminal: '请打开运行交易所的终端中显示的链接。',
      operator: '链接由管理员转交给您。',
    },
  },
  mailLanguage: '邮件语言',
  data: {
    title: '您的数据',
    exportMeans: '下载我们保存的您的数据：个人资料、会话、API Key 和安全日志。',
    export: '下载我的数据',
    deleteMeans:
      '注销后，您的个人资料和访问权限将被永久删除，交易记录会保留但不含您的姓名。' +
      '仅由您管理的账户须为空，并将被冻结。',
    delete: '注销',
    deleteQuestion: (email) => `永久注销 ${email}？您将在所有设备上退出，此操作无法撤销。`,
    deleted: '已注销',
  },
  link: {
    email: '验证新邮箱',
    emailMeans: '之后请使用此邮箱登录。',
    emailSubmit: '使用此邮箱',
    email_undo: '撤销邮箱更改',
    email_undoMeans: '您的账户将恢复使用此邮箱，所有会话均会退出，您需要设置新密码。',
    email_undoSubmit: '撤销更改',
  },
  news: {
    emailChanged: '新邮箱已验证，现在可以用它登录。',
    emailUndone: '更改已撤销，请打开我们发送的链接设置新密码。',
  },
};
