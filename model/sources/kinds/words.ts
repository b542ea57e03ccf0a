/** Tools without a way of their own: an automation or a small program passes on what they say. */
export const RELAYED =
  'zendesk intercom freshdesk helpdesk help desk support ticket slack teams discord chat typeform survey form hubspot salesforce crm jira linear notion airtable zapier make n8n automation review app store forum community gitlab bitbucket script program relay http api json webhook'
