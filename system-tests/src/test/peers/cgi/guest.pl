#!/usr/bin/perl
# A guest book as it was written in 1998.
read(STDIN, $buffer, $ENV{'CONTENT_LENGTH'});
foreach $pair (split(/&/, $buffer)) {
    ($name, $value) = split(/=/, $pair);
    $value =~ tr/+/ /;
    $value =~ s/%([a-fA-F0-9][a-fA-F0-9])/pack("C", hex($1))/eg;
    $FORM{$name} = $value;
}
print "Content-type: text/html\n\n";
print "<html><body>Thank you, $FORM{'name'}! Path: $ENV{'PATH_INFO'}, from $ENV{'REMOTE_ADDR'}</body></html>\n";
