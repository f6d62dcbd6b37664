/** What the pages say, as a page that the device writes itself takes it. */
declare module '*/words/en/index.js' {
  const words: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  export default words;
}
declare module '*/words/ru/index.js' {
  const words: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  export default words;
}
declare module '*/banks.js' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*/self-test.js' {
  const words: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  export default words;
}
