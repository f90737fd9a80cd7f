@echo off
rem The command line of this checkout, with the right Node, built or not. See agent-intercom for why.
setlocal
node "%~dp0..\build\bootstrap.mjs" cli %*
exit /b %ERRORLEVEL%
