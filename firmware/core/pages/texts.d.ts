/** What the pages say, as the device itself takes it. */
declare module '*/shell.js' {
  const words: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  export default words;
}
declare module '*/late-words/en.js' {
  const words: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  export default words;
}
declare module '*/late-words/ru.js' {
  const words: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  export default words;
}
declare module '*/banks/pages/words/en.js' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
declare module '*/banks/pages/words/ru.js' {
  const words: Readonly<Record<string, string>>;
  export default words;
}
