import type { FactField, MappedField } from '../../../schemas/transfers/columns.ts'

/** Names of the fields in senders' files and other tools, likeliest first, in lower case with spaces between words. */
export const OTHER_NAMES: Readonly<Record<MappedField, readonly string[]>> = {
  text: [
    ...[
      'feedback',
      'comment',
      'comments',
      'message',
      'review text',
      'review',
      'body',
      'content',
      'description',
      'details',
    ],
    ...[
      'public comments',
      'verbatim',
      'notes',
      'note',
      'rückmeldung',
      'kommentar',
      'nachricht',
      'beschreibung',
      'descripción',
    ],
    ...['descrição', 'descrizione', 'anfrage', 'anliegen', 'commentaire', 'mensaje', 'comentario', 'mensagem'],
    ...['comentário', 'messaggio', 'commento', 'bericht', 'opmerking', 'wiadomość', 'zpráva', 'meddelande', 'besked'],
    ...['melding', 'viesti', 'üzenet', 'mesaj', 'сообщение', 'повідомлення', 'μήνυμα', 'メッセージ', '内容', '메시지'],
    ...['消息', '留言', 'الرسالة', 'הודעה', 'tin nhắn', 'pesan', 'ข้อความ'],
  ],
  source: ['channel', 'origin system', 'product'],
  source_url: ['permalink', 'html url', 'url', 'link'],
  occurred_at: [
    ...['created at', 'submitted at', 'received at', 'created', 'created on', 'created date', 'creation date'],
    ...['date created', 'created time', 'submitted', 'review date', 'timestamp', 'datetime', 'date', 'time'],
    ...['opened at', 'opened', 'reported at', 'submission date', 'submit date', 'date submitted', 'posted at', 'at'],
    ...[
      'erstellt am',
      'erstellt',
      'angelegt am',
      'angelegt',
      'eingegangen am',
      'eingangsdatum',
      'zeitstempel',
      'datum',
    ],
    ...['date de création', 'créé le', 'reçu le', 'fecha de creación', 'creado el', 'fecha', 'data de criação'],
    ...['criado em', 'data di creazione', 'creato il', 'aangemaakt op', 'utworzono', 'data utworzenia'],
    ...['vytvořeno', 'skapad', 'oprettet', 'opprettet', 'luotu', 'létrehozva', 'dátum', 'data creării', 'oluşturulma'],
    ...['tarih', 'дата создания', 'создано', 'дата', 'ημερομηνία', '作成日時', '作成日', '日付', '생성일', '날짜'],
    ...['创建时间', '日期', 'التاريخ', 'תאריך', 'ngày tạo', 'ngày', 'tanggal', 'วันที่'],
  ],
  actor_name: [
    ...['customer name', 'customer', 'author name', 'author', 'user name', 'username', 'user', 'reporter', 'submitter'],
    ...['reviewer', 'requester', 'requester name', 'from', 'full name', 'author login', 'user login', 'caller id'],
    ...['created by', 'submitted by', 'reported by', 'opened by', 'contact name', 'name'],
  ],
  actor_email: [
    ...['customer email', 'user email', 'author email', 'requester email', 'reporter email', 'contact email', 'email'],
    ...['e mail', 'mail', 'email address', 'e mail address'],
  ],
  signal_origin: ['origin'],
  actor_role: ['role'],
  event: ['type', 'category', 'kind', 'issue type'],
  metadata: ['meta', 'properties'],
}

/** Names of row ids in other tools, likeliest first. */
export const ROW_IDS = [
  ...['ticket id', 'ticket number', 'issue key', 'issuekey', 'key', 'case number', 'conversation id', 'post id'],
  ...['idea id', 'suggestion id', 'note id', 'review id', 'submission id', 'response id', 'respondent id', 'row id'],
  ...['record id', 'external id', 'card id', 'id', 'uuid', 'guid', 'number', 'vorgangsschlüssel', 'ticketnummer'],
  ...['nummer', 'número', 'numéro', 'numero', 'identifiant', 'identificador', 'clave de incidencia', 'chave da item'],
  ...['ticket nr', 'ticket no', 'case no', 'vorgangsnummer', 'vorgang nr', 'anfragenummer', 'nr', 'no'],
  ...['numéro de ticket', 'n° de ticket', 'número de ticket', 'nº de ticket', 'numero ticket', 'numero del ticket'],
  ...['numer zgłoszenia', 'nr zgłoszenia', 'číslo tiketu', 'ärendenummer', 'sagsnummer', 'saksnummer', 'tunnus'],
  ...['azonosító', 'bilet no', 'номер заявки', 'номер обращения', 'номер', '番号', '编号', '工单号', '#', 'token'],
]

/** Titles of a text that say by themselves what it is about. */
export const TITLES = ['title', 'summary', 'short description', 'headline', 'titel', 'título', 'titre', 'titolo']

/** Subjects of a mail or a ticket, which stand above a text with any name. */
export const SUBJECTS = [
  ...['subject', 'subject line', 'betreff', 'thema', 'objet', 'sujet', 'asunto', 'assunto', 'oggetto', 'onderwerp'],
  ...['temat', 'předmět', 'predmet', 'ämne', 'emne', 'aihe', 'tárgy', 'subiect', 'konu', 'тема', 'θέμα'],
  ...['件名', '제목', '主题', '主旨', 'الموضوع', 'נושא', 'chủ đề', 'subjek', 'หัวเรื่อง'],
]

/** Texts below a title. */
export const BODIES = [
  ...['description', 'details', 'body', 'content', 'beschreibung', 'descripción', 'descrição', 'descrizione'],
]

/** Texts below a title that may also be something else. */
export const NOTES = ['public comments', 'notes', 'note']

/** With such columns, a name is a task's title. */
export const OF_TASKS = ['assignee', 'due date', 'task id', 'section/column']

/** Names of customer facts in tools and files, in some twenty languages; likeliest first. */
export const FACT_NAMES: Readonly<Record<FactField, readonly string[]>> = {
  company: [
    ...['company', 'company name', 'account', 'account name', 'organization', 'organisation', 'organization name'],
    ...['firma', 'firmenname', 'unternehmen', 'entreprise', 'société', 'empresa', 'compañía', 'azienda', 'società'],
    ...['bedrijf', 'przedsiębiorstwo', 'společnost', 'företag', 'virksomhed', 'bedrift', 'selskap', 'yritys', 'cég'],
    ...['companie', 'şirket', 'компания', 'компанія', 'εταιρεία', '会社', '会社名', '회사', '公司', 'شركة', 'חברה'],
    ...['công ty', 'perusahaan', 'บริษัท'],
  ],
  plan: [
    ...['plan', 'plan name', 'subscription', 'subscription plan', 'pricing plan', 'tier', 'tarif', 'abo', 'paket'],
    ...['abonnement', 'forfait', 'formule', 'suscripción', 'assinatura', 'plano', 'piano', 'abbonamento', 'pakiet'],
    ...['abonnemang', 'tilaus', 'előfizetés', 'csomag', 'abonament', 'abonelik', 'тариф', 'подписка'],
    ...['συνδρομή', 'プラン', '요금제', '套餐', 'الخطة', 'תוכנית', 'gói', 'แผน'],
  ],
  revenue: [
    ...['revenue', 'mrr', 'arr', 'annual revenue', 'monthly revenue', 'umsatz', 'chiffre d’affaires'],
    ...["chiffre d'affaires", 'ingresos', 'facturación', 'receita', 'faturamento', 'fatturato', 'ricavi', 'omzet'],
    ...['przychód', 'przychody', 'tržby', 'obrat', 'omsättning', 'omsætning', 'omsetning', 'liikevaihto', 'árbevétel'],
    ...['venituri', 'gelir', 'ciro', 'выручка', 'дохід', 'έσοδα', '売上', '매출', '收入', 'الإيرادات', 'הכנסות'],
    ...['doanh thu', 'pendapatan', 'รายได้'],
  ],
  tags: [
    ...['tags', 'tag', 'labels', 'label', 'schlagwörter', 'schlagworte', 'étiquettes', 'mots clés', 'etiquetas'],
    ...['marcadores', 'etichette', 'trefwoorden', 'tagi', 'etykiety', 'štítky', 'taggar', 'etiketter', 'mærker'],
    ...['tunnisteet', 'avainsanat', 'címkék', 'etichete', 'etiketler', 'теги', 'метки', 'мітки', 'ετικέτες', 'タグ'],
    ...['태그', '标签', '標籤', 'الوسوم', 'תגיות', 'thẻ', 'แท็ก'],
  ],
  language: [
    ...['language', 'lang', 'locale', 'sprache', 'langue', 'idioma', 'língua', 'lingua', 'taal', 'język', 'jazyk'],
    ...['språk', 'sprog', 'kieli', 'nyelv', 'limba', 'limbă', 'dil', 'язык', 'мова', 'γλώσσα', '言語', '언어', '语言'],
    ...['語言', 'اللغة', 'שפה', 'ngôn ngữ', 'bahasa', 'ภาษา'],
  ],
}
